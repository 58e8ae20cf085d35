package sketch

// InkOf returns the ink that is nearest to a colour. Black, white and what is close to them are Plain.
func InkOf(red, green, blue uint8) Ink {
	high, low := int(max(red, green, blue)), int(min(red, green, blue))
	if high-low < 48 {
		if low < 64 || high > 232 {
			return Plain
		}
		return Grey
	}
	r, g, b, span := int(red), int(green), int(blue), high-low
	switch high {
	case r:
		return Hue(60 * (g - b) / span)
	case g:
		return Hue(120 + 60*(b-r)/span)
	}
	return Hue(240 + 60*(r-g)/span)
}

// Hue returns the ink of a place on the wheel of colours, in degrees from red by way of yellow.
func Hue(degrees int) Ink {
	switch h := (degrees%360 + 360) % 360; {
	case h < 20 || h >= 335:
		return Red
	case h < 75:
		return Yellow
	case h < 160:
		return Green
	case h < 200:
		return Cyan
	case h < 260:
		return Blue
	}
	return Magenta
}
