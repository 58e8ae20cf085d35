package claim

import "testing"

func TestATemperatureIsOneOfItsScale(t *testing.T) {
	holds(t, []expectation{
		{saysContrary, "机房温度保持在22华氏度。", "机房温度保持在22摄氏度。"},
		{saysContrary, "疫苗须在8摄氏度以下保存。", "疫苗须在8华氏度以下保存。"},
		{saysContrary, "烤箱预热到华氏350度。", "烤箱预热到350摄氏度。"},
		{saysContrary, "冷库温度不高于5℉。", "冷库温度不高于5℃。"},
		{saysContrary, "The server room is kept at 22 degrees Fahrenheit.", "The server room is kept at 22 degrees Celsius."},
		{saysContrary, "Vaccines are stored below 8 °F.", "Vaccines are stored below 8 °C."},
		{saysContrary, "The oven heats to 200 degrees Celsius.", "The oven heats to 200 °F."},
		{saysContrary, "The paint dries at 70 Fahrenheit.", "The paint dries at 70 centigrade."},
		{notBorneOut, "机房温度保持在25℃。", "机房温度保持在22摄氏度。"},
		{borneOut, "机房温度保持在22℃。", "机房温度保持在22摄氏度。"},
		{borneOut, "机房温度保持在摄氏22度。", "机房温度保持在22℃。"},
		{borneOut, "机房温度保持在22摄氏度。", "机房温度保持在二十二摄氏度。"},
		{borneOut, "The server room is kept at 22 °C.", "The server room is kept at 22 degrees Celsius."},
		{borneOut, "The server room is kept at 22 degrees Celsius.", "The server room is kept at 22°C."},
		{borneOut, "The server room is kept at 22 degrees centigrade.", "The server room is kept at 22 °C."},
	})
}

func TestATemperatureBelowZeroIsNoneAbove(t *testing.T) {
	holds(t, []expectation{
		{saysContrary, "冷库温度为18摄氏度。", "冷库温度为零下18摄氏度。"},
		{saysContrary, "冷库温度为18℃。", "冷库温度为-18℃。"},
		{saysContrary, "The freezer is kept at 18 °C.", "The freezer is kept at minus 18 °C."},
		{notBorneOut, "The freezer is kept at -18 °C.", "The freezer is kept at 18 degrees Celsius."},
		{borneOut, "冷库温度为-18℃。", "冷库温度为零下18摄氏度。"},
		{borneOut, "冷库温度为摄氏零下18度。", "冷库温度为零下18℃。"},
		{borneOut, "The freezer has a temperature of -18 °C.", "The freezer has a temperature of minus 18 degrees Celsius."},
		{borneOut, "药品须在2℃至8℃保存。", "药品须在2℃-8℃保存。"},
		{borneOut, "药品须在2摄氏度到8摄氏度之间保存。", "药品须在2℃–8℃之间保存。"},
		{borneOut, "Samples are stored at 2 °C to 8 °C.", "Samples are stored at 2 °C - 8 °C."},
		{borneOut, "Samples are stored at 2 to 8 degrees Celsius.", "Samples are stored at 2-8 °C."},
	})
}
