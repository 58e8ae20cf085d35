-- The versions of which a model refused a passage are few, and are counted with every look at the server: by themselves, and
-- without the vectors of all the others.
CREATE INDEX vectors_refused ON vectors (document, model) WHERE refused > 0;
