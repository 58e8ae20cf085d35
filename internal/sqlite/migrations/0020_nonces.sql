-- Hashes of texts that leave to people who may not read the texts are made under nonces, which stand
-- beside the texts: those of runs, evidence and drafts in their records, the others here. What was hashed
-- before keeps its plain hash and has none.
ALTER TABLE proposals ADD COLUMN seal TEXT NOT NULL DEFAULT '';
ALTER TABLE lexicons ADD COLUMN nonce TEXT NOT NULL DEFAULT '';

-- A nonce changes with the erasing of what it was for, and stays otherwise.
CREATE TRIGGER proposals_seals_are_only_exchanged BEFORE UPDATE OF seal ON proposals
WHEN NEW.seal <> OLD.seal AND (OLD.seal = '' OR NEW.call = '' OR NEW.call ->> '$.args' IS NOT NULL)
BEGIN SELECT RAISE (ABORT, 'proposals are append-only'); END;

DROP TRIGGER evidence_is_only_emptied;
CREATE TRIGGER evidence_is_only_emptied BEFORE UPDATE OF record ON evidence
WHEN EXISTS (SELECT 1 FROM json_each('["excerpt","context","title","source_uri","locator","segments","nonce"]') f
    WHERE coalesce(NEW.record ->> ('$.' || f.value), '') <> '')
  OR EXISTS (SELECT 1 FROM json_each('["ref","document","knowledge_base","doc_key","version","status","chunk","chunks","span","hash","truncated_before","truncated_after","read_at"]') f
    WHERE coalesce(NEW.record ->> ('$.' || f.value), '') <> coalesce(OLD.record ->> ('$.' || f.value), ''))
BEGIN SELECT RAISE (ABORT, 'evidence is append-only'); END;

DROP TRIGGER draft_versions_records_are_only_emptied;
CREATE TRIGGER draft_versions_records_are_only_emptied BEFORE UPDATE OF record ON draft_versions
WHEN NEW.record <> json_remove(OLD.record, '$.checks', '$.nonce')
BEGIN SELECT RAISE (ABORT, 'versions of drafts are kept'); END;
