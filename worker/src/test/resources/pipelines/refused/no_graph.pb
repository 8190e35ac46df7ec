This is a text, and no GraphDef at all.
