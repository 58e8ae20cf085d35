-- The guard of places looked through all of its tenant's at every new entry: of two conditions that have
-- the tenant in common, that alone is looked up.
DROP TRIGGER places_are_new;

CREATE TRIGGER places_are_new BEFORE INSERT ON places
WHEN EXISTS (SELECT 1 FROM places WHERE tenant = NEW.tenant AND log = NEW.log AND no = NEW.no)
  OR EXISTS (SELECT 1 FROM places WHERE tenant = NEW.tenant AND sequence = NEW.sequence)
BEGIN SELECT RAISE (ABORT, 'ledger entries are append-only'); END;
