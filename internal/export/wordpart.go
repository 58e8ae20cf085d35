package export

// The parts of a Word document that are the same for all.
const (
	xmlHead = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	wordNS  = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	mainNS  = "application/vnd.openxmlformats-officedocument.wordprocessingml."
	relNS   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"

	contentTypes = xmlHead + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/word/document.xml" ContentType="` + mainNS + `document.main+xml"/>` +
		`<Override PartName="/word/styles.xml" ContentType="` + mainNS + `styles+xml"/>` +
		`<Override PartName="/word/settings.xml" ContentType="` + mainNS + `settings+xml"/>` +
		`<Override PartName="/word/numbering.xml" ContentType="` + mainNS + `numbering+xml"/>` +
		`<Override PartName="/word/footnotes.xml" ContentType="` + mainNS + `footnotes+xml"/>` +
		`<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>` +
		`</Types>`

	packageRels = xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="` + relNS + `officeDocument" Target="word/document.xml"/>` +
		`<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>` +
		`</Relationships>`

	documentRels = xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="` + relNS + `styles" Target="styles.xml"/>` +
		`<Relationship Id="rId2" Type="` + relNS + `settings" Target="settings.xml"/>` +
		`<Relationship Id="rId3" Type="` + relNS + `numbering" Target="numbering.xml"/>` +
		`<Relationship Id="rId4" Type="` + relNS + `footnotes" Target="footnotes.xml"/>` +
		`</Relationships>`

	corePropertiesHead = xmlHead + `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ` +
		`xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">`

	documentHead = xmlHead + `<w:document ` + wordNS + `><w:body>` + "\n"
	documentFoot = `<w:sectPr><w:pgSz w:w="11906" w:h="16838"/>` +
		`<w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/></w:sectPr></w:body></w:document>`

	// The first two notes are the lines that separate notes from text, which every reader expects.
	footnotesHead = xmlHead + `<w:footnotes ` + wordNS + `>` +
		`<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>` +
		`<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>` + "\n"
	footnotesFoot = `</w:footnotes>`

	settings = xmlHead + `<w:settings ` + wordNS + `><w:defaultTabStop w:val="425"/>` +
		`<w:footnotePr><w:footnote w:id="-1"/><w:footnote w:id="0"/></w:footnotePr>` +
		`<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat>` +
		`<w:themeFontLang w:val="en-US" w:eastAsia="zh-CN"/></w:settings>`

	numbering = xmlHead + `<w:numbering ` + wordNS + `><w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="hybridMultilevel"/>` +
		bulletHead + `0">` + bulletBody + `425" w:hanging="425"/></w:pPr></w:lvl>` +
		bulletHead + `1">` + bulletBody + `850" w:hanging="425"/></w:pPr></w:lvl>` +
		bulletHead + `2">` + bulletBody + `1275" w:hanging="425"/></w:pPr></w:lvl>` +
		bulletHead + `3">` + bulletBody + `1700" w:hanging="425"/></w:pPr></w:lvl>` +
		`</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`
	bulletHead = `<w:lvl w:ilvl="`
	bulletBody = `<w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="`

	styles = xmlHead + `<w:styles ` + wordNS + `><w:docDefaults><w:rPrDefault><w:rPr>` +
		`<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="SimSun" w:cs="Times New Roman"/>` +
		`<w:sz w:val="22"/><w:szCs w:val="22"/><w:lang w:val="en-US" w:eastAsia="zh-CN" w:bidi="ar-SA"/></w:rPr></w:rPrDefault>` +
		`<w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="300" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>` + "\n" +
		`<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>` +
		`<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/></w:style>` + "\n" +
		styleHead + `Title"><w:name w:val="Title"/>` + onNormal + `<w:pPr><w:keepNext/><w:spacing w:after="60"/></w:pPr><w:rPr>` + headFonts + `<w:b/><w:sz w:val="36"/></w:rPr></w:style>` + "\n" +
		styleHead + `Subtitle"><w:name w:val="Subtitle"/>` + onNormal + `<w:rPr><w:color w:val="595959"/><w:sz w:val="18"/></w:rPr></w:style>` + "\n" +
		customHead + `Notice"><w:name w:val="Notice"/>` + onNormal + `<w:pPr><w:ind w:left="284"/></w:pPr><w:rPr><w:i/><w:color w:val="595959"/></w:rPr></w:style>` + "\n" +
		styleHead + `BodyText"><w:name w:val="Body Text"/>` + onNormal + `</w:style>` + "\n" +
		styleHead + `Heading1"><w:name w:val="heading 1"/>` + onNormal + `<w:pPr><w:keepNext/><w:spacing w:before="240"/><w:outlineLvl w:val="0"/></w:pPr><w:rPr>` + headFonts + `<w:b/><w:sz w:val="28"/></w:rPr></w:style>` + "\n" +
		styleHead + `Heading2"><w:name w:val="heading 2"/>` + onNormal + `<w:pPr><w:keepNext/><w:spacing w:before="200"/><w:outlineLvl w:val="1"/></w:pPr><w:rPr>` + headFonts + `<w:b/><w:sz w:val="25"/></w:rPr></w:style>` + "\n" +
		styleHead + `Heading3"><w:name w:val="heading 3"/>` + onNormal + `<w:pPr><w:keepNext/><w:spacing w:before="160"/><w:outlineLvl w:val="2"/></w:pPr><w:rPr>` + headFonts + `<w:b/></w:rPr></w:style>` + "\n" +
		styleHead + `ListBullet"><w:name w:val="List Bullet"/>` + onNormal + `<w:pPr><w:spacing w:after="60"/></w:pPr></w:style>` + "\n" +
		styleHead + `ListNumber"><w:name w:val="List Number"/>` + onNormal + `<w:pPr><w:spacing w:after="60"/></w:pPr></w:style>` + "\n" +
		styleHead + `Quote"><w:name w:val="Quote"/>` + onNormal + `<w:pPr><w:ind w:left="567" w:right="567"/></w:pPr><w:rPr><w:i/></w:rPr></w:style>` + "\n" +
		customHead + `Code"><w:name w:val="Code"/>` + onNormal + `<w:pPr><w:shd w:val="clear" w:color="auto" w:fill="F2F2F2"/><w:spacing w:line="240" w:lineRule="auto"/></w:pPr><w:rPr>` + codeFonts + `</w:rPr></w:style>` + "\n" +
		styleHead + `FootnoteText"><w:name w:val="footnote text"/>` + onNormal + `<w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr><w:rPr><w:sz w:val="18"/><w:szCs w:val="18"/></w:rPr></w:style>` + "\n" +
		`<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>` +
		`<w:style w:type="character" w:customStyle="1" w:styleId="CodeChar"><w:name w:val="Code Char"/><w:rPr>` + codeFonts + `</w:rPr></w:style></w:styles>`
	styleHead  = `<w:style w:type="paragraph" w:styleId="`
	customHead = `<w:style w:type="paragraph" w:customStyle="1" w:styleId="`
	onNormal   = `<w:basedOn w:val="Normal"/><w:qFormat/>`
	headFonts  = `<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="SimHei"/>`
	codeFonts  = `<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:eastAsia="SimSun" w:cs="Consolas"/><w:sz w:val="20"/>`
)
