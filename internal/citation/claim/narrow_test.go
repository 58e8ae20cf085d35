package claim

import "testing"

// narrowPairs are about a thing and a part of it, and for comparison about the same.
var narrowPairs = []expectation{
	{atMostPartly, "The audit lasts three days.", "The audit of the subsidiary lasts five days."},
	{atMostPartly, "The audit is carried out by Finance.", "The audit of the subsidiary is carried out by Legal."},
	{atMostPartly, "The audit of the subsidiary is carried out by Finance.", "The audit is carried out by Legal."},
	{atMostPartly, "The audit must be completed in May.", "The audit of the subsidiary must be completed in June."},
	{atMostPartly, "The audit of the subsidiary is not published.", "The audit is published."},
	{atMostPartly, "The audit is published.", "The audit of the subsidiary is not published."},
	{atMostPartly, "审计须在5月完成。", "子公司的审计须在6月完成。"},
	{atMostPartly, "子公司的审计须在5月完成。", "审计须在6月完成。"},
	{atMostPartly, "The budget is 500 euros.", "The budget of the branch is 900 euros."},
	{atMostPartly, "The budget of the branch is 500 euros.", "The budget is 900 euros."},
	{atMostPartly, "The limit is 500 euros.", "The limit for interns is 300 euros."},
	{atMostPartly, "The limit for interns is 300 euros.", "The limit is 500 euros."},
	{atMostPartly, "补贴为每天100元。", "实习生的补贴为每天80元。"},
	{atMostPartly, "实习生的补贴为每天80元。", "补贴为每天100元。"},
	{atMostPartly, "The manager approves leave.", "The manager of the lab does not approve leave."},
	{atMostPartly, "The warehouse is closed on Monday.", "The warehouse in Lyon is closed on Friday."},
	{atMostPartly, "The warehouse in Lyon is closed on Monday.", "The warehouse is closed on Friday."},
	{atMostPartly, "仓库周一关闭。", "里昂的仓库周五关闭。"},
	{atMostPartly, "分公司的仓库周一关闭。", "仓库周五关闭。"},
	{atMostPartly, "Laptops must be encrypted.", "Laptops of visitors need not be encrypted."},
	{atMostPartly, "Laptops of visitors must be encrypted.", "Laptops need not be encrypted."},
	{atMostPartly, "笔记本电脑必须加密。", "访客的笔记本电脑无需加密。"},
	{atMostPartly, "The report is confidential.", "The report of the board is public."},
	{atMostPartly, "Domestic travel is approved by the line manager.", "Travel is approved by the managing director."},
	{atMostPartly, "The annual audit takes five days.", "The audit takes two days."},
	{atMostPartly, "The audit takes five days.", "The annual audit takes two days."},
	{saysContrary, "The audit lasts three days.", "The audit lasts five days."},
	{saysContrary, "The audit of the subsidiary lasts three days.", "The audit of the subsidiary lasts five days."},
	{saysContrary, "The subsidiary's audit lasts three days.", "The audit of the subsidiary lasts five days."},
	{saysContrary, "子公司的审计须在5月完成。", "子公司的审计须在6月完成。"},
	{saysContrary, "The audit lasts three days.", "The audit lasts five days. The audit of the subsidiary lasts three days."},
	{borneOut, "The audit lasts three days.", "The audit lasts 3 days. The audit of the subsidiary lasts 5 days."},
	{borneOut, "The audit of the subsidiary lasts five days.", "The audit lasts 3 days. The audit of the subsidiary lasts 5 days."},
	{saysContrary, "The limit for interns is 300 euros.", "The limit for interns is 500 euros."},
	{saysContrary, "补贴为每天100元。", "出差补贴每天为80元，补贴为每天90元。"},
	{saysContrary, "Breakfast is included.", "Breakfast is excluded."},
	{atMostPartly, "住宿上限为每晚600元。", "上海住宿上限为每晚650元。"},
}

func TestWhatIsSaidOfAPartIsNotDeniedOfTheWhole(t *testing.T) { holds(t, narrowPairs) }
