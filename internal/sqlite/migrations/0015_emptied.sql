-- Erasing empties the words of a piece of evidence and where they stood, and leaves all that says which
-- piece it was.
DROP TRIGGER evidence_is_only_emptied;
CREATE TRIGGER evidence_is_only_emptied BEFORE UPDATE OF record ON evidence
WHEN EXISTS (SELECT 1 FROM json_each('["excerpt","context","title","source_uri","locator","segments"]') f
    WHERE coalesce(NEW.record ->> ('$.' || f.value), '') <> '')
  OR EXISTS (SELECT 1 FROM json_each('["ref","document","knowledge_base","doc_key","version","status","chunk","chunks","span","hash","truncated_before","truncated_after","read_at"]') f
    WHERE coalesce(NEW.record ->> ('$.' || f.value), '') <> coalesce(OLD.record ->> ('$.' || f.value), ''))
BEGIN SELECT RAISE (ABORT, 'evidence is append-only'); END;
