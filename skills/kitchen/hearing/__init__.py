"""How a cook's words are understood without a model: a small grammar, idea by idea.

words → chunks (`lexicon`, `names`, `verbs`) → clauses → moods and events → acts → weighing.
"""
