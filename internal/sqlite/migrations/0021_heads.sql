-- The beginnings of all segments, so that a server that starts need not read the segments to know
-- which analysis made them. They are the database's own: whoever writes a segment writes this too.
CREATE INDEX segments_heads ON segments (substr(bytes, 1, 13));
