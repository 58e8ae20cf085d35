package archtest

// Kaoju returns the architecture of this module. Rows may stand here before their package does.
func Kaoju() Policy {
	return Policy{
		Rows:   slicesOf(leaves(), nouns(), engines(), doors(), commands()),
		Bans:   bans(),
		Fences: fences(),
		Calls:  calls(),
		Names: []string{
			"util", "utils", "common", "helper", "helpers", "service", "services", "manager", "managers",
			"type", "types", "misc", "shared", "base", "lib",
		},
	}
}

func slicesOf(groups ...[]Row) []Row {
	var out []Row
	for _, g := range groups {
		out = append(out, g...)
	}
	return out
}

// in writes packages below internal/ by their short names.
func in(names ...string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = "internal/" + n
	}
	return out
}

func row(name, reason string, imports ...string) Row {
	return Row{Package: "internal/" + name, Imports: in(imports...), Reason: reason}
}

// leaves are the packages that everything else stands on.
func leaves() []Row {
	return []Row{
		{Package: "api", Reason: "The wire types are what clients compile against; they can't drag the product in."},
		row("problem", "The kinds of error are the one thing every package shares."),
		row("seal", "A hash that tells nothing is made alike of every text, whoever keeps it."),
		row("canonical", "The one form of JSON is the same whatever is hashed or signed.", "problem"),
		row("failpoint", "A moment at which a process can die has a name and nothing else; what happens there is in the context of a test.", "failpoint/internal/armed"),
		row("failpoint/internal/armed", "What arms a context and what looks at it share a key that nobody else can have."),
		{Package: "internal/failpoint/failpointtest", TestOnly: true, Reason: "Only tests let a process die."},
		row("pause", "Waiting between two tries knows a clock and a context, and not what is tried."),
		row("glyph", "Which code points steer what shows them is the same for every text, whoever takes it in or prints it."),
		row("outbound", "The guarded HTTP client knows addresses and limits, not the product.", "problem"),
		row("analysis", "Text becomes terms in the same way for documents and queries, whoever asks.", "analysis/dictionary", "problem"),
		row("analysis/topic", "What a summary is asked of is told by the words of the request alone, for those who search and those who write."),
		row("analysis/dictionary", "Words are data; what is made of them is decided above."),
		row("analysis/dictionary/generate", "The words are made from their source by hand, folded as texts are.", "analysis", "analysis/dictionary"),
		row("telemetry", "Names of metrics and spans are words."),
		row("event", "Events are stored ids and numbers; they know nothing of what they tell of.", "problem"),
		row("ledger", "An entry is verified on a machine that has nothing but the entries.", "canonical", "problem"),
		row("queue", "A job is a lease on a subject that it does not understand.", "problem"),
		row("llm", "The contract of a model can be read without any adapter.", "problem"),
		row("llm/openai", "An adapter turns the contract into requests, through the one guarded client.", "llm", "llm/internal/endpoint", "outbound", "problem"),
		row("llm/anthropic", "An adapter turns the contract into requests, through the one guarded client.", "llm", "llm/internal/endpoint", "outbound", "problem"),
		row("llm/ranking", "An adapter turns the contract into requests, through the one guarded client.", "llm", "llm/internal/endpoint", "outbound", "problem"),
		row("llm/internal/endpoint", "What every model endpoint shares: waiting, retrying, and reading a stream within bounds.", "llm", "outbound", "pause", "problem"),
		row("llm/rules", "The rule-based engine sees what a model sees: messages. It can't reach documents. Sentences disagree for it by the rules of all answers.", "analysis", "analysis/topic", "citation/claim", "citation/claim/conflict", "citation/claim/matter", "citation/lack", "llm", "problem"),
		row("llm/textcall", "Tools as text go around any model; which of them may run is not decided there.", "llm"),
		row("llm/minilm", "The embedded embedding model is an Embedder like any other.", "llm", "problem"),
		row("llm/replay", "Replay answers from a recording.", "llm", "problem"),
		{Package: "internal/llm/llmtest", Imports: in("llm", "problem"), TestOnly: true, Reason: "The scripted model is for tests."},
	}
}

// nouns are the things of the field, with the rules that hold whatever stores them.
func nouns() []Row {
	return []Row{
		row("access", "Rights are decided from the directory alone, before anything that needs them exists.",
			"access/internal/key", "event", "ledger", "problem"),
		row("access/internal/key", "The key is an empty type whose only property is who can name it."),
		row("access/unscoped", "The bypass makes a scope and nothing else.", "access", "access/internal/key"),
		row("corpus", "Documents are read and changed in a scope, so their seams name one.", "access", "event", "ledger", "problem"),
		row("auth", "Authentication says who is asking; it gives no rights.", "access", "ledger", "outbound", "problem"),
		row("auth/oidc", "What an identity provider says is verified apart from whom it lets in, over the one guarded client.", "auth", "outbound", "problem"),
		{Package: "internal/ingest/source/git/gittest", TestOnly: true, Reason: "Repositories that no program makes are for tests."},
		{Package: "internal/auth/oidc/oidctest", TestOnly: true, Reason: "The provider that misbehaves shares no code with what it tests."},
		row("approval", "A decision needs who may decide, and leaves a trace.", "access", "event", "ledger", "problem", "seal"),
		row("memory", "A conversation's summary belongs to one actor and is made of the actor's own words, which analysis tells apart.", "access", "analysis", "problem"),
		row("lexicon", "A tenant's words and synonyms are lines that somebody wrote, and know no document.", "access", "analysis", "glyph", "problem"),
		row("idempotency", "A repeated request is told from a new one by its actor and its key, whatever it asks for.", "access", "problem"),
		row("tool", "A tool acts under an actor and returns passages of the corpus; it knows no store and no run.",
			"access", "corpus", "llm", "pause", "problem"),
		row("parse", "A parser turns bytes into blocks; it must not know who will read them.", "corpus", "parse/archive", "parse/docx", "parse/dxf", "parse/eml", "parse/epub", "parse/layout", "parse/numeral", "parse/ooxml", "parse/pdf", "parse/pptx", "parse/progress", "parse/svg", "parse/xlsx", "problem", "sketch"),
		row("sketch", "A drawing is shown by strokes and labels within bounds, whatever read it and whatever shows it."),
		row("parse/pdf", "One format with a machine of its own; what it gives is what every parser gives.", "corpus", "parse/ocr", "parse/progress", "problem"),
		row("parse/progress", "How far a reader is it tells without knowing who listens."),
		row("parse/worker", "Processes that read files know the bytes that go in and the blocks that come out.", "corpus", "parse", "parse/progress", "problem", "sketch"),
		row("parse/ocr", "A program outside is run in one place; it knows a picture, and no document."),
		{Package: "internal/parse/ocr/ocrtest", Imports: in("sharedtest"), TestOnly: true, Reason: "Programs for tests share nothing with what runs them."},
		row("parse/docx", "Word documents are read from the parts of a bounded package.", "corpus", "parse/layout", "parse/numeral", "parse/ooxml"),
		row("parse/numeral", "Numbers of lists are written alike, whatever format counts them."),
		row("parse/xlsx", "Workbooks are read from the parts of a bounded package.", "corpus", "parse/layout", "parse/ooxml", "parse/progress"),
		row("parse/pptx", "Presentations are read from the parts of a bounded package.", "corpus", "parse/layout", "parse/numeral", "parse/ooxml", "parse/progress"),
		row("parse/eml", "Messages are taken apart without knowing how the texts in them are read.", "corpus", "parse/layout", "parse/progress", "problem"),
		{Package: "internal/parse/dxf/dxftest", TestOnly: true, Reason: "Drawings for tests are written by code that shares nothing with what reads them."},
		row("parse/drawing", "Texts of drawings are put in order by where they are, and lines drawn, whatever format they came from.", "corpus", "parse/layout", "sketch"),
		row("parse/dxf", "Drawings in the exchange format are read from their text; how that was encoded is decided above.", "corpus", "parse/drawing", "parse/layout", "problem", "sketch"),
		row("parse/svg", "Vector graphics are read by the bounded reader of XML that office documents have.", "corpus", "parse/drawing", "parse/layout", "parse/ooxml", "sketch"),
		row("parse/epub", "Books are read from the files of a bounded package; what stands on a page is read by whoever reads HTML.", "corpus", "parse/layout", "parse/ooxml", "parse/progress"),
		{Package: "internal/parse/epub/epubtest", Imports: in("parse/ooxml/ooxmltest"), TestOnly: true, Reason: "Books for tests are written by code that shares nothing with what reads them."},
		row("parse/layout", "Blocks and tables are laid out alike whatever format they came from.", "corpus"),
		{Package: "internal/parse/ooxml/ooxmltest", TestOnly: true, Reason: "Office documents for tests are written by code that shares nothing with what reads them."},
		row("parse/ooxml", "Office packages are opened in one place, which trusts nothing in them; it knows no document.", "parse/archive"),
		row("parse/archive", "Archives are opened in one place, which trusts nothing in them."),
		row("preview", "Documents become safe HTML in one place.", "corpus", "glyph", "problem", "sketch"),
		{Package: "internal/preview/previewtest", TestOnly: true, Reason: "What judges rendered HTML shares nothing with what renders it."},
		row("picture", "Pages are drawn by whoever reads files, and kept apart from who may see them.", "corpus", "parse", "preview", "problem", "sketch"),
		row("chunk", "Cutting follows structure alone.", "corpus"),
		row("revision", "Two texts are compared alike whoever asks, and whatever store or format they came from.", "analysis", "corpus", "problem"),
		row("index", "The search structures hold terms and a filter; rights come to them as bits.", "analysis", "corpus", "index/internal/table", "problem"),
		row("index/vector", "Vectors are compared whatever model made them; rights come to them as versions that may be seen.", "corpus", "index/internal/table", "problem"),
		row("index/internal/table", "Stored bytes are read within bounds whatever they hold."),
		row("retrieval", "Search happens in a scope, over the index, and calls no store by name.",
			"access", "analysis", "corpus", "index", "index/vector", "llm", "problem", "retrieval/rerank"),
		row("retrieval/rerank", "What is known of a candidate comes from its texts and from what the legs said; it loads nothing.", "analysis", "index"),
		row("retrieval/rerank/fit", "A program of its own that makes the weights from public collections; the product does not contain it.",
			"corpus", "embedding", "index", "llm/minilm", "retrieval", "retrieval/rerank"),
		row("citation", "What counts as support does not depend on how an answer came about.", "access", "analysis", "citation/claim", "citation/claim/conflict", "corpus", "llm", "problem", "seal"),
		row("citation/claim", "Sentences are held against texts, whoever wrote them and wherever they stand. What is decided of a sentence is decided here alone.", "citation/claim/contrast", "citation/claim/coverage", "citation/claim/hours", "citation/claim/instead", "citation/claim/numeral", "citation/claim/opposite", "citation/claim/polarity", "citation/claim/quantity", "citation/claim/reading", "citation/claim/role", "citation/claim/subject", "citation/claim/wording"),
		row("citation/claim/wording", "How a text is folded and cut into words is the same for all who compare texts, and says nothing of what is in them.", "analysis", "citation/claim/clock", "citation/claim/hours", "citation/claim/paraphrase", "citation/claim/rarity", "citation/claim/weekday"),
		row("citation/claim/polarity", "What a text denies is read from that text alone.", "analysis", "citation/claim/opposite", "citation/claim/wording"),
		row("citation/claim/quantity", "What a text states literally is read and compared apart from whom it is said of.", "citation/claim/clock", "citation/claim/numeral", "citation/claim/polarity", "citation/claim/wording"),
		row("citation/claim/subject", "What a sentence speaks of is told by the order of its words, apart from what is said of it.", "citation/claim/polarity", "citation/claim/quantity", "citation/claim/wording"),
		row("citation/claim/reading", "A text is read once, and by no rule of what a reading is held to be.", "analysis", "citation/claim/coverage", "citation/claim/opposite", "citation/claim/polarity", "citation/claim/quantity", "citation/claim/wording"),
		row("citation/claim/contrast", "What one sentence says otherwise than another is found without a verdict.", "analysis", "citation/claim/coverage", "citation/claim/opposite", "citation/claim/peer", "citation/claim/polarity", "citation/claim/quantity", "citation/claim/reading", "citation/claim/role", "citation/claim/subject", "citation/claim/wording"),
		row("citation/claim/conflict", "Texts disagree with each other by the rules by which one contradicts a claim; no verdict of a claim has a part in it.", "analysis", "citation/claim/contrast", "citation/claim/matter", "citation/claim/opposite", "citation/claim/polarity", "citation/claim/quantity", "citation/claim/reading", "citation/claim/wording"),
		row("citation/claim/clock", "Times of day and dates are written in one way before anything is compared."),
		row("citation/claim/coverage", "Which words a place of a text does not hold is told without judging what that means.", "analysis", "citation/claim/paraphrase"),
		row("citation/claim/instead", "Which values leave no room for another is told by the values, apart from whether two texts say the same otherwise."),
		row("citation/claim/rarity", "How much a word says is known apart from where it stands.", "analysis"),
		row("citation/claim/weekday", "Days of the week are written in one form before anything is compared."),
		row("citation/claim/paraphrase", "What says the same in other words is known by words alone, before anything is compared.", "analysis"),
		row("citation/claim/matter", "Whether two sentences are about one matter is told by their words and the question, apart from what they say of it.", "analysis"),
		row("citation/claim/hours", "Days of the week and parts of the day are read from a text alone, apart from what is said of them."),
		row("citation/claim/numeral", "Numbers in words are numbers whatever they count."),
		row("citation/claim/opposite", "Which words say the contrary of each other is known apart from what a text says by them.", "analysis"),
		row("citation/claim/peer", "Which names exclude each other is known apart from where a text has them.", "analysis"),
		row("citation/claim/role", "Which part a thing plays is told by the order of words alone, apart from how far they are held.", "analysis", "citation/claim/paraphrase"),
		row("eval", "What an evaluation is, its file and its figures, is known without running one.", "access", "corpus", "problem", "run"),
		row("bundle", "A bundle is verified on a machine that has nothing but the file and a key.", "canonical", "ledger", "problem", "seal"),
		row("citation/lack", "What is said to be missing has one phrase for whoever writes it and whoever reads it back."),
		row("citation/opinion", "A second opinion is a question to a model about checks, and rules for what its answer may change.", "citation", "llm", "problem"),
		row("run", "A run's states and limits are counted here and enforced above.",
			"access", "approval", "canonical", "citation", "corpus", "event", "ledger", "llm", "memory", "problem", "seal", "tool"),
		row("export", "A document that leaves the product is made of what its reader was given, and looks nothing up.", "citation", "export/pdf"),
		row("export/pdf", "Texts on pages with notes; what they are about is known above."),
		row("draft", "A draft is what a run wrote and a person took over; who may see what of it is decided above, and the entry of a version is held here as that of a run is there.",
			"access", "canonical", "citation", "corpus", "glyph", "ledger", "problem", "run", "seal"),
	}
}

// engines do the work; drivers store it.
func engines() []Row {
	return []Row{
		row("ingest", "Taking originals in acts for no reader, so it may use the bypass; it asks no model for an answer.",
			"access", "access/unscoped", "analysis", "chunk", "corpus", "event", "failpoint", "glyph", "index", "ledger", "llm", "outbound", "parse", "parse/progress", "problem", "queue"),
		row("ingest/source", "What is to be done about a source follows from what it has and what it brought, whatever kind it is."),
		row("ingest/source/dir", "A source lists files; what becomes of them is decided above.", "ingest/source", "problem"),
		row("ingest/source/spool", "What is fetched is kept in one way, which leaves nothing behind.", "problem"),
		row("ingest/source/git", "A repository is read within bounds and fetched through the one guarded client; what becomes of its files is decided above.",
			"glyph", "ingest/source", "ingest/source/spool", "outbound", "problem"),
		row("ingest/source/download", "An address is fetched through the one guarded client; what becomes of the file is decided above.",
			"ingest/source", "ingest/source/spool", "outbound", "problem"),
		row("ingest/source/watch", "When to look again is decided without knowing what is looked at."),
		row("embedding", "Versions get their vectors apart from being published, and no question waits for one of them.",
			"corpus", "failpoint", "index/vector", "llm", "pause", "problem", "queue"),
		row("recut", "Versions are cut anew apart from being published, and no search waits for one of them.",
			"access", "analysis", "chunk", "corpus", "failpoint", "index", "pause", "problem", "queue"),
		row("publish", "An approved decision is carried out here and nowhere else.",
			"access", "approval", "corpus", "event", "ledger", "problem", "run"),
		row("action", "A call of a tool is proposed, and carried out once it was approved, here and nowhere else.",
			"access", "approval", "citation", "corpus", "llm", "pause", "problem", "run", "tool"),
		row("desk", "What a person does beside asking, for every door the same.",
			"access", "action", "approval", "bundle", "citation", "corpus", "draft", "eval", "event", "export", "glyph", "ledger", "lexicon", "memory", "picture", "preview", "problem", "publish", "queue", "retrieval", "revision", "run", "sketch", "tool"),
		row("toolkit", "Our tools reach retrieval and documents, each call in the actor's scope of that moment.",
			"access", "approval", "citation", "corpus", "event", "ledger", "memory", "outbound", "parse", "problem", "retrieval", "tool"),
		row("agent", "The loop searches through a tool, so that limits and ledger see every search.",
			"access", "analysis", "analysis/topic", "approval", "citation", "citation/opinion", "corpus", "event", "ledger", "llm", "llm/replay", "memory", "pause", "problem", "queue", "run", "seal", "tool"),
		row("sqlite", "A driver implements seams; it opens the folder and hands its stores out, each of which imports the package that owns its seam.",
			"access", "corpus", "ledger", "problem", "retrieval", "sqlite/approvals", "sqlite/blobs", "sqlite/catalog", "sqlite/chain", "sqlite/database", "sqlite/directory", "sqlite/docket",
			"sqlite/evaluation", "sqlite/image", "sqlite/intake", "sqlite/journal", "sqlite/lock", "sqlite/merged", "sqlite/migration", "sqlite/originals", "sqlite/pending", "sqlite/proof", "sqlite/recuts",
			"sqlite/renewal", "sqlite/requests", "sqlite/signin", "sqlite/tenancy", "sqlite/textseal", "sqlite/vectors"),
		row("sqlite/approvals", "A decision and its effect are one transaction; what it does to runs and versions, their packages do.",
			"access", "approval", "corpus", "event", "idempotency", "ledger", "problem", "run", "sqlite/chain", "sqlite/database", "sqlite/directory", "sqlite/docket", "sqlite/journal", "sqlite/requests", "sqlite/row", "sqlite/versions"),
		row("sqlite/blobs", "Files of originals and their rows come and go together, whatever is in them.", "corpus", "failpoint", "problem", "sqlite/database", "sqlite/originals", "sqlite/row"),
		row("sqlite/brought", "Where versions are from is kept inside the driver's transactions.", "access", "problem", "sqlite/row"),
		row("sqlite/catalog", "What people do with documents ends uploads, runs and proposals, and is above all of them.",
			"access", "corpus", "idempotency", "ledger", "problem", "sqlite/blobs", "sqlite/brought", "sqlite/chain", "sqlite/contents", "sqlite/database", "sqlite/directory", "sqlite/docket", "sqlite/intake", "sqlite/journal",
			"sqlite/recuts", "sqlite/requests", "sqlite/row", "sqlite/stored", "sqlite/textseal", "sqlite/vectors", "sqlite/versions"),
		row("sqlite/chain", "An entry is appended in the transaction of what it records, whatever that is.", "access", "ledger", "problem", "sqlite/database", "sqlite/proof", "sqlite/row"),
		row("sqlite/database", "Every store works in transactions of one database, which knows what none of them keeps.", "access", "problem", "sqlite/prepared", "sqlite/row", "sqlite/wake"),
		row("sqlite/directory", "Who there is, with groups and grants, is read by everybody and changed elsewhere.", "access", "problem", "sqlite/database", "sqlite/row"),
		row("sqlite/evaluation", "The table of evaluations knows no other.", "access", "eval", "ledger", "problem", "sqlite/chain", "sqlite/database", "sqlite/row"),
		row("sqlite/image", "What an index follows is read inside the driver's transactions; who follows is above.",
			"access", "corpus", "retrieval", "sqlite/interval", "sqlite/row"),
		row("sqlite/intake", "From a reservation to a version in force, uploads and their jobs are ended by each other.",
			"access", "corpus", "failpoint", "idempotency", "ledger", "problem", "queue", "seal", "sqlite/blobs", "sqlite/brought", "sqlite/chain", "sqlite/contents", "sqlite/database", "sqlite/directory", "sqlite/originals",
			"sqlite/requests", "sqlite/row", "sqlite/stored", "sqlite/textseal", "sqlite/vectors", "sqlite/versions"),
		row("sqlite/interval", "The form of stored times is read without a database.", "access"),
		row("sqlite/journal", "Runs and what people keep beside them are of one actor; what ends the proposal of a run is given to it.",
			"access", "citation", "corpus", "desk", "draft", "event", "idempotency", "ledger", "memory", "problem", "run", "seal", "sqlite/chain", "sqlite/conversation", "sqlite/database", "sqlite/directory", "sqlite/drafts",
			"sqlite/erasure", "sqlite/mark", "sqlite/proof", "sqlite/requests", "sqlite/row", "sqlite/stored"),
		row("sqlite/migration", "Steps of a schema are files in an order, and a number in the database.", "problem"),
		row("sqlite/requests", "A receipt is written in the transaction of what was asked for, whatever that is.", "idempotency", "problem", "sqlite/database", "sqlite/directory", "sqlite/row"),
		row("sqlite/tenancy", "Tenants, their people and what holds for them as a whole are changed in one place.", "access", "idempotency", "ledger", "lexicon", "problem", "retrieval", "seal", "sqlite/chain", "sqlite/database", "sqlite/directory",
			"sqlite/requests", "sqlite/row", "sqlite/signin"),
		row("sqlite/versions", "How a row of documents is read, and whom it is shown, is one thing for all who use it.", "access", "corpus", "ledger", "problem", "sqlite/chain", "sqlite/contents", "sqlite/database", "sqlite/interval", "sqlite/row"),
		row("sqlite/docket", "Rows of proposals and tasks are read and written inside the transactions of whoever decides.",
			"access", "approval", "event", "ledger", "problem", "run", "seal", "sqlite/database", "sqlite/row"),
		row("sqlite/drafts", "Rows of drafts are read and written inside the driver's transactions; who may is the driver's.",
			"access", "citation", "corpus", "draft", "ledger", "problem", "run", "sqlite/row", "sqlite/stored"),
		row("sqlite/erasure", "What runs lose with an erased version, and what the ledger is told of it, is done inside the driver's transactions; who may erase is the driver's.",
			"citation", "corpus", "event", "ledger", "run", "sqlite/drafts", "sqlite/mark", "sqlite/proof", "sqlite/row", "sqlite/stored"),
		row("sqlite/contents", "Which documents came out of which file is kept inside the driver's transactions; who may take them in is the driver's.",
			"access", "corpus", "queue", "sqlite/row"),
		row("sqlite/conversation", "What is kept of conversations is read and written inside the driver's transactions, under an owner it is given.",
			"access", "memory", "sqlite/row"),
		row("sqlite/mark", "What people said of answers is read and written inside the driver's transactions, with the runs that it is about.",
			"access", "citation", "corpus", "desk", "problem", "run", "sqlite/row", "sqlite/stored"),
		row("sqlite/originals", "Files of originals know no table.", "corpus", "problem"),
		row("sqlite/prepared", "Statements are kept with their connections whatever they say; it knows no table."),
		row("sqlite/proof", "What proves the ledger is kept beside the entries, in the transaction that writes them.",
			"access", "draft", "event", "ledger", "problem", "run", "seal", "sqlite/database", "sqlite/drafts", "sqlite/row", "sqlite/stored"),
		row("sqlite/merged", "Merged segments are kept; who makes and reads them is above.",
			"access", "problem", "retrieval", "sqlite/database", "sqlite/row"),
		row("sqlite/renewal", "What segments are built from is read here; who builds them is above.", "corpus", "problem", "retrieval", "sqlite/database", "sqlite/row", "sqlite/stored"),
		row("sqlite/row", "Results and columns are read and written alike in every part of the driver; they know no table.", "problem"),
		row("sqlite/signin", "Who signs in how is kept in tables of its own.", "access", "auth", "idempotency", "ledger", "problem", "sqlite/chain", "sqlite/database", "sqlite/directory", "sqlite/requests", "sqlite/row"),
		row("sqlite/lock", "Holding a file knows nothing of what is in the folder."),
		row("sqlite/stored", "The form of stored records is apart from the rules about them, and from the types that they keep.",
			"access", "citation", "corpus", "draft", "llm", "problem", "run", "seal", "sqlite/row", "tool"),
		row("sqlite/textseal", "Stored texts are held against the ledger in the transaction that reads them; who may is decided above.",
			"access", "chunk", "corpus", "problem", "seal", "sqlite/database", "sqlite/proof", "sqlite/row", "sqlite/stored"),
		row("sqlite/pending", "Tables of jobs of versions are worked on alike, whatever is to be done.",
			"access", "problem", "queue", "sqlite/database", "sqlite/row"),
		row("sqlite/recuts", "Chunks that take the place of others, and the jobs for it, are written in one transaction; who cuts them is above.",
			"access", "corpus", "failpoint", "ledger", "problem", "recut", "sqlite/chain", "sqlite/database", "sqlite/pending", "sqlite/row", "sqlite/stored", "sqlite/textseal", "sqlite/vectors"),
		row("sqlite/vectors", "The tables of vectors and their jobs know nothing of the model.",
			"access", "corpus", "embedding", "failpoint", "retrieval", "sqlite/database", "sqlite/pending", "sqlite/row", "sqlite/stored"),
		row("sqlite/wake", "Waking who waits knows nothing of the engine."),
		row("postgres", "A driver implements seams; it imports the packages that own them.", driver...),
		{Package: "internal/sharedtest", TestOnly: true, Reason: "Data of third parties are found in one place, whatever is tested with them."},
		{Package: "internal/storetest", TestOnly: true,
			Imports: in(append([]string{"analysis", "chunk", "index", "ingest", "parse"}, driver...)...),
			Reason:  "Every driver passes the one conformance suite."},
		{Package: "internal/leaktest", TestOnly: true,
			Reason: "What judges the product imports nothing of it; its tests wire the whole product."},
		{Package: "internal/browsertest", TestOnly: true, Reason: "A browser uses the built program as a person does, and knows nothing of what it is made of."},
		{Package: "internal/hostiletest", TestOnly: true, Reason: "Faults and injections are played against the whole product, which only tests wire."},
	}
}

// driver lists what a storage driver may import: the owners of its seams, and the bypass, with
// which it reads rows that it then filters by the scope it was given.
var driver = []string{
	"access", "access/unscoped", "approval", "auth", "citation", "corpus", "desk", "draft", "embedding", "eval", "event", "failpoint", "idempotency", "ledger", "lexicon", "llm",
	"memory", "problem", "queue", "retrieval", "run", "seal", "tool",
}

// doors are where people and programs come in.
func doors() []Row {
	door := []string{
		"access", "action", "agent", "analysis", "approval", "auth", "bundle", "citation", "corpus", "desk", "draft", "eval", "event", "export", "idempotency", "ingest", "ledger", "lexicon",
		"llm", "memory", "preview", "problem", "publish", "queue", "retrieval", "revision", "run", "seal", "telemetry", "tool", "toolkit",
		"access", "action", "agent", "analysis", "approval", "auth", "bundle", "citation", "corpus", "desk", "draft", "event", "export", "idempotency", "ingest", "ledger", "lexicon",
		"llm", "memory", "preview", "problem", "publish", "queue", "retrieval", "revision", "run", "seal", "sketch", "telemetry", "tool", "toolkit",
	}
	rows := []Row{
		{Package: "internal/demo", Imports: append(in("access", "auth", "corpus", "ingest", "problem"), "examples"),
			Reason: "The demonstration fills an empty folder through the doors' own seams, as its people."},
		row("eval/trial", "Evaluation compares with the whole corpus and with the original bytes, so it may use the bypass and the parsers.",
			append([]string{"access/unscoped", "parse"}, door...)...),
		row("eval/report", "A report is written from a result alone.", "eval", "glyph"),
		{Package: "examples", Reason: "The examples are documents; their test runs the built program as a stranger would."},
		{Package: "internal/archtest", Reason: "The checks read source; they depend on nothing they judge."},
	}
	rows = append(rows,
		row("httpapi/strict", "What a body says is read strictly, whatever it is about."),
		row("httpapi/fragment", "What an answer with HTML is, its headers say, whoever may have it.", "preview"),
		row("web", "The web interface is built files that speak the public interface; what serves them knows nothing of the product."))
	for _, name := range []string{"httpapi", "mcpserver"} {
		r := row(name, "A door translates requests into calls of engines; it knows no store.", door...)
		r.Imports = append(r.Imports, "api")
		if name == "httpapi" {
			r.Imports = append(r.Imports, in("httpapi/download", "httpapi/fragment", "httpapi/page", "httpapi/strict", "httpapi/wire")...)
		}
		rows = append(rows, r)
	}
	rows = append(rows, row("httpapi/download", "What a file is, its headers say, whoever may have it.", "corpus"),
		row("httpapi/page", "What a request for a page says is read, and its answer described, whoever may have it.", "corpus", "problem"))
	form := row("httpapi/wire", "What engines give is written in one form, whoever may have it; it decides nothing.", "access", "action", "approval", "auth",
		"citation", "citation/lack", "corpus", "desk", "eval", "event", "ledger", "llm", "memory", "problem", "queue", "retrieval", "revision", "run")
	form.Imports = append(form.Imports, "api")
	return append(rows, form)
}

// bans are the edges that stay forbidden whatever a row says.
func bans() []Ban {
	drivers := in("sqlite", "postgres")
	return []Ban{
		{From: in("sqlite/..."), To: in("postgres/..."), Tests: true, Reason: "Drivers never import each other: what they share is a contract, and lives in a noun."},
		{From: in("postgres/..."), To: in("sqlite/..."), Tests: true, Reason: "Drivers never import each other: what they share is a contract, and lives in a noun."},
		{From: in("access/...", "corpus", "auth/...", "approval", "memory", "idempotency", "tool", "parse/...", "picture", "preview", "chunk", "index/...", "retrieval", "citation", "run", "bundle",
			"ingest/...", "publish", "action", "desk", "toolkit", "agent", "demo", "httpapi", "web", "mcpserver", "eval/..."), To: drivers,
			Reason: "Seams belong to who needs them; only the command knows which driver stands behind."},
		{From: in("agent"), To: in("retrieval", "index/..."), Reason: "The agent searches through a tool, so that limits, rights and ledger see every search."},
		{From: in("llm/...", "tool", "citation", "run", "approval"), To: in("agent", "action", "ingest", "toolkit"), Reason: "A noun never imports an engine."},
		{From: in("agent", "action", "toolkit", "tool", "httpapi", "web", "mcpserver", "desk", "publish", "citation", "run", "llm/...", "demo", "retrieval", "index"),
			To: in("access/unscoped"), Reason: "Reading without a scope is for work on no person's behalf: ingest, drivers, evaluation."},
		{From: []string{"internal/...", "api"}, To: []string{"cmd/..."}, Tests: true, Reason: "Nothing imports the command."},
		{From: []string{"internal/...", "api", "cmd/..."}, To: in("archtest"), Tests: true, Reason: "The checks are no part of the program."},
	}
}

// fences keep each library behind one package. Nil inside means that only tests use it.
func fences() []Fence {
	return []Fence{
		{"modernc.org/sqlite", in("sqlite/database", "sqlite/lock"), "SQL of an engine lives in its driver."},
		{"github.com/danielgtaylor/huma/v2", in("httpapi"), "The HTTP framework stays at the edge; engines and nouns never see a request."},
		{"github.com/landlock-lsm/go-landlock", in("parse/worker"), "What a process gives up is decided where the process is made."},
		{"github.com/yuin/goldmark", in("parse/...", "preview"), "Markdown is understood in one place, so that what is shown is what was parsed."},
		{"github.com/microcosm-cc/bluemonday", in("preview"), "There is one sanitiser."},
		{"golang.org/x/net/html", in("parse/...", "preview"), "HTML is understood in one place."},
		{"golang.org/x/net/dns", nil, "Tests of the outbound client answer names themselves."},
		{"github.com/klippa-app/go-pdfium", in("parse/pdf"), "PDF documents are read in one place."},
		{"github.com/tetratelabs/wazero", in("parse/pdf"), "What runs foreign code is in one place, with its bounds."},
		{"github.com/gogs/chardet", in("parse/..."), "Encodings are settled before anything else sees text."},
		{"golang.org/x/text", in("analysis", "parse/...", "citation", "llm/minilm", "export/pdf"), "Folding and encodings belong to the packages that promise them."},
		{"github.com/rivo/uniseg", in("export/pdf"), "Where lines may end is asked by the one package that sets lines."},
		{"github.com/blevesearch/snowballstem", in("analysis"), "One analyzer serves documents and queries."},
		{"github.com/google/jsonschema-go", in("tool", "toolkit"), "Arguments are checked by the executor alone."},
		{"golang.org/x/image", in("parse", "toolkit"), "Pictures are made by one tool, and decoded by what reads files."},
		{"github.com/fsnotify/fsnotify", in("ingest/source/watch"), "What the system tells of files is listened to in one place."},
		{"github.com/go-git/go-git/v5", in("ingest/source/git", "ingest/source/git/gittest"), "Repositories are understood in one place, with its bounds."},
		{"github.com/go-git/go-billy/v5", in("ingest/source/git", "ingest/source/git/gittest"), "It is how the library of repositories sees files."},
		{"github.com/spf13/cobra", []string{"cmd/kaoju", "cmd/kaoju/call", "cmd/kaoju/console", "cmd/kaoju/doctor", "cmd/kaoju/evaluation", "cmd/kaoju/inquiry", "cmd/kaoju/library", "cmd/kaoju/people", "cmd/kaoju/record", "cmd/kaoju/serve", "cmd/kaoju/setting"}, "The command line is the command's."},
		{"github.com/goccy/go-yaml", []string{"cmd/kaoju/setting", "cmd/kaoju/declaration", "internal/eval"}, "Only the command reads configuration files, and question files are read in one place."},
		{"golang.org/x/crypto", in("auth"), "Passwords are hashed in one place."},
		{"github.com/coreos/go-oidc/v3", in("auth/oidc"), "What an identity provider signs is verified in one place."},
		{"golang.org/x/oauth2", in("auth/oidc"), "Codes and client secrets go to an identity provider from one place."},
		{"golang.org/x/mod", in("ledger"), "The arithmetic of Merkle trees and the form of signed notes are the ledger's."},
		{"golang.org/x/sys/cpu", in("llm/minilm"), "What the processor can do decides over kernels, and over nothing else."},
		{"golang.org/x/sys", in("parse/...", "retrieval"), "System calls are for the parse worker's limits and for mapped files."},
		{"github.com/google/go-cmp", nil, "It compares in tests."},
		{"pgregory.net/rapid", nil, "It makes inputs for tests."},
		{"go.uber.org/goleak", nil, "It finds leaked goroutines in tests."},
		{"github.com/rogpeppe/go-internal", nil, "It runs transcripts in tests."},
		{"github.com/chromedp/chromedp", nil, "It drives a browser in tests."},
		{"github.com/chromedp/cdproto", nil, "It drives a browser in tests."},
		{"github.com/getkin/kin-openapi", nil, "It holds the served description against the served answers in tests."},
	}
}

// calls keep what reaches outside the process to the packages that answer for it.
func calls() []Call {
	environment := "Settings reach a package as values; only the command knows where they came from."
	client := "There is one guarded client to anywhere else, with time and size limits; the typed client takes one."
	ending := "A package returns its errors; only a command ends the process."
	return []Call{
		{Import: "os", Names: []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv", "Setenv", "Unsetenv", "Clearenv"},
			Inside: []string{"cmd/kaoju"}, Reason: environment},
		{Import: "syscall", Names: []string{"Getenv", "Environ", "Setenv"}, Inside: []string{"cmd/kaoju"}, Reason: environment},
		{Import: "net/http", Names: []string{"Client", "Transport", "Get", "Head", "Post", "PostForm", "DefaultClient", "DefaultTransport"},
			Given: []string{"Client"}, Inside: append(in("outbound"), "api"), Reason: client},
		{Import: "net", Names: []string{"Dial", "DialTimeout", "DialTCP", "DialUDP", "DialIP", "Dialer"}, Inside: in("outbound"), Reason: client},
		{Import: "crypto/tls", Names: []string{"Dial", "DialWithDialer", "Dialer"}, Inside: in("outbound"), Reason: client},
		{Import: "os", Names: []string{"Exit"}, Inside: append([]string{"cmd/kaoju"}, in("analysis/dictionary/generate", "retrieval/rerank/fit")...), Reason: ending},
		{Import: "log", Names: []string{"Fatal", "Fatalf", "Fatalln", "Panic", "Panicf"}, Reason: ending},
	}
}
