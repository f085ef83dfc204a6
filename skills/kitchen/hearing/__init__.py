"""How a cook's words are understood without a model: a small grammar, idea by idea.

words → chunks (`chunker`, `lexicon`, `names`, `verbs`) → clauses (`cutting`, `peeling`) → what each
says (`reader` with the mixins below it: moods and events, answers, reports, wishes) → weighing.
"""
