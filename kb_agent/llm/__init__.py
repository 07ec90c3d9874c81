"""Language models: endpoints, the one client that calls them, and the evidence model that needs none.

protocol         the words spoken with every model
calls            ask until there is an answer: retries, the next endpoint
client           one streamed call
line             its connection, which another thread can hang up
assembly         the pieces of a streamed answer, put together
text_protocol    models without tool calling
failures         what went wrong with a provider, named
overflow         that it refused a request for its length
plain_text       what a provider sends, made storable
json_answers     the JSON in a model's answer
evidence_model   the model by rule, which needs no provider
models           the rows of endpoints
endpoints        which of them serve a call
keys             their keys, sealed
windows          how many tokens a model can take
gauges           what calls have taught of that
gauge_models     the rows of it
hidden_calls     a question beside a turn: a title, a summary, facts
embeddings       one call for vectors
account          who pays for it
passage_vectors  vectors of passages, where some are refused, too
question_vectors a question's vector, remembered for a while
tape_vectors     vectors of what tapes say
tape_meaning     search of tapes by them
call_events      what the events around a call say
usage            a provider's usage in disjoint counts
prices           what a call costs
price_list       the company's own prices
price_models     the rows of them
repricing        past calls of unknown price, priced
reserving        budgets, asked before a call
script           the scripted model's answers, in the words of the domain
scripted         the server that gives them
apps             the Django app
"""

from __future__ import annotations
