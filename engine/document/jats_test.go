package document

import (
	"strings"
	"testing"

	"assay/engine/research"
)

// paperXML is a paper as Europe PMC gives it, in small.
const paperXML = `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving and Interchange DTD v1.2 20190208//EN" "JATS-archivearticle1.dtd">
<article xml:lang="en" article-type="research-article"><front><journal-meta><journal-id journal-id-type="nlm-ta">J Kiln</journal-id><journal-title-group><journal-title>Journal of Kilns</journal-title></journal-title-group><issn>1234-5678</issn></journal-meta>
<article-meta><article-id pub-id-type="pmid">123</article-id><article-id pub-id-type="doi">10.1000/kiln.5</article-id><title-group><article-title>Heat of the <italic>Marrow</italic> kiln</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Ost</surname><given-names>Rika</given-names></name><xref ref-type="aff" rid="a1">1</xref></contrib><contrib contrib-type="author"><collab>Kiln Group</collab></contrib><contrib contrib-type="editor"><name><surname>Not</surname><given-names>An Author</given-names></name></contrib></contrib-group><aff id="a1">Institute of Heat</aff>
<pub-date pub-type="collection"><year>2024</year></pub-date><pub-date pub-type="epub"><day>7</day><month>3</month><year>2023</year></pub-date>
<abstract><title>Summary</title><p>We measured the kiln.</p></abstract><kwd-group><kwd>kiln</kwd></kwd-group></article-meta></front>
<body><sec><title>Methods</title><p>The kiln was fired 12 times <xref ref-type="bibr" rid="r1">[1]</xref> with 10<sup>6</sup> kJ of wood<sup><xref ref-type="bibr" rid="r2">2</xref></sup>.</p><list><list-item><p>beech</p></list-item><list-item><p>ash</p></list-item></list>
<sec><title>Thermometers</title><p>Three &alpha; probes were used &amp; read.</p></sec></sec>
<sec><title>Results</title><table-wrap><label>Table 1</label><caption><title>Heat by hour</title></caption><table><thead><tr><th>Hour</th><th>Heat</th></tr></thead><tbody><tr><td>1</td><td>400</td></tr><tr><td>2</td><td>900</td></tr></tbody></table></table-wrap><p>It reached 1,240 degrees.</p></sec></body>
<back><ref-list><ref id="r1"><mixed-citation>Somebody. Another work. 1999.</mixed-citation></ref></ref-list></back></article>`

func TestJATS(t *testing.T) {
	for _, kind := range []string{"text/xml; charset=utf-8", "application/xml", JATS, ""} {
		d, err := FromBytes(t.Context(), "https://www.ebi.ac.uk/x/fullTextXML.nxml", kind, []byte(paperXML), Options{Web: true})
		if err != nil || d.Fault != "" {
			t.Fatalf("%q: %v, %q", kind, err, d.Fault)
		}
		if d.Title != "Heat of the Marrow kiln" || d.Byline != "Rika Ost, Kiln Group" || d.Publisher != "Journal of Kilns" || d.Published != "2023-03-07" || d.DOI != "10.1000/kiln.5" || d.Lang != "en" || d.MediaType != JATS {
			t.Errorf("%q: %+v", kind, d)
		}
		for _, want := range []string{"We measured the kiln.", "Methods", "fired 12 times [1] with 10^6 kJ of wood", "beech\nash", "Three α probes were used & read.", "Heat by hour", "Hour\tHeat\n1\t400\n2\t900", "It reached 1,240 degrees."} {
			if !strings.Contains(d.Text, want) {
				t.Errorf("%q is not in %q", want, d.Text)
			}
		}
		for _, not := range []string{"Another work", "Institute of Heat", "1234-5678", "Not", "wood2", "J Kiln"} {
			if strings.Contains(d.Text, not) {
				t.Errorf("%q is in %q", not, d.Text)
			}
		}
		if len(d.Headings) < 4 || len(d.Tables) != 1 || len(d.Heads) != 1 {
			t.Errorf("headings %v, tables %v, heads %v", d.Headings, d.Tables, d.Heads)
		}
		sound(t, d)
	}
}

// TestJATSAbstract: what has no body is not the paper.
func TestJATSAbstract(t *testing.T) {
	from, to := strings.Index(paperXML, "<body>"), strings.Index(paperXML, "</body>")
	d, err := FromBytes(t.Context(), "x", JATS, []byte(paperXML[:from]+paperXML[to+len("</body>"):]), Options{})
	if err != nil || d.Verdict != research.Paywalled || d.Text != "" || !strings.Contains(d.Fault, "only its abstract") {
		t.Errorf("%+v, %v", d, err)
	}
	for _, bad := range []string{"<article><front", "<article article-type='x'>" + strings.Repeat("<sec>", 400), "", "<article><body>"} {
		d, err := FromBytes(t.Context(), "x", JATS, []byte(bad), Options{})
		if err != nil || d.Fault == "" || d.Text != "" {
			t.Errorf("%.30q: %+v, %v", bad, d, err)
		}
	}
	if d, err := FromBytes(t.Context(), "x", "text/xml", []byte(`<?xml version="1.0"?><feed><entry/></feed>`), Options{}); err != nil || !strings.Contains(d.Fault, "is of the format") {
		t.Errorf("a feed: %+v, %v", d, err)
	}
}

func FuzzJATS(f *testing.F) {
	fuzz(f, JATS, Options{}, paperXML, "<article><body><p>a<sup>b</sup><table><tr><td>c", "<article><front><article-meta><title-group><article-title>x</sec></p>", "<article xml:lang='zh'><body><list><list-item><p>一</p></list-item></list></body>")
}
