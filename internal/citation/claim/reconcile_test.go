package claim

import "testing"

// reconciledPairs say the same in two ways, or nearly; those behind them do not.
var reconciledPairs = []expectation{
	{noContrary, "You should not use sea sand, because it harms the filter.", "Use only river sand; sea sand harms the filter."},
	{noContrary, "Archive boxes may only be moved with a curator's consent.", "Archive boxes may not be moved unless a curator consents."},
	{noContrary, "档案箱仅可在管理员同意后移动。", "未经管理员同意，不得移动档案箱。"},
	{noContrary, "On Fridays the archive closes at 18:30.", "The archive is open Monday to Friday from 9:00 to 18:30."},
	{noContrary, "The rental lasts three days from the first of May.", "The rental lasts three days."},
	{borneOut, "Do not use sea sand.", "Do not use sea sand."},
	{saysContrary, "Use sea sand in the filter.", "Do not use sea sand in the filter."},
	{saysContrary, "The archive closes on Friday.", "The archive opens on Friday."},
	{saysContrary, "档案箱可以移动。", "档案箱不得移动。"},
}

func TestWhatMaySayTheSameInTwoWaysIsNoContradiction(t *testing.T) { holds(t, reconciledPairs) }
