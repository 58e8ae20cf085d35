package parse

import "github.com/kaoju/kaoju/internal/corpus"

// parsePlain takes each run of lines without a blank one as a paragraph. Plain text has no
// headings: guessing them from numbering or capitals would put wrong paths into citations.
func parsePlain(src *source) (corpus.Parsed, error) {
	o := outline{src: src, headings: headings{path: []string{}}}
	in := lines{text: src.text}
	var para []line
	for {
		l, ok := in.next()
		if l.no%checkEvery == 0 && src.ctx.Err() != nil {
			return corpus.Parsed{}, src.ctx.Err()
		}
		if ok && !l.blank() {
			para = append(para, l)
			if o.places+len(para) > src.limits.Places {
				return corpus.Parsed{}, src.tooMany()
			}
			continue
		}
		if err := o.add(corpus.Paragraph, 0, para, nil); err != nil {
			return corpus.Parsed{}, err
		}
		para = para[:0]
		if !ok {
			return o.parsed(), nil
		}
	}
}
