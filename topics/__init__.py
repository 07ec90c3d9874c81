"""What the tapes are about: topics, their turns, their facts, their costs, and the hooks around them.

models        the rows
lifecycle     how topics start and end; writes their rows
finalize_prev the hook that ends the open one before another starts
renewing      a tape that starts anew under its name
resetting     that, at once, with its open topic
describing    a better title and summary, also after the end
titles        a title, cut from a question's first line
asking        a question becomes an entry and a waiting turn
turns         what a worker does with turns: claim, keep alive, take up, end
turn_rows     their rows, as they change with their entries
experiments   questions that are discarded with all they brought
continuing    what a continued topic is told of the one it continues
segments      the stretches of a topic too long for its model
hooks         what hooks are, and the running of post-hooks
pipeline      pre-hooks, run inside the lifecycle's transaction
checks        whether `settings.TOPIC_HOOKS` can be run
recalling     what finished topics are recalled by, and those a question is near to
dismissing    a recalled topic left out, and brought back
retelling     what a topic asked and was answered, read off its tape
markers       the evidence ids in what answers say
facts         what happens to facts
access        who may see which topics and views: half of permission
quoting       which other topics an entry quotes
sharing       topics and views opened to others, and closed again
named_views   views kept under a name
finding       what topics are found by in a list, and finding them
finding_words the terms that takes
pins          topics kept at the top of a list
ledger        what each call cost, and the sums of it
open_calls    model calls that a tape saw begin and not end
purposes      what models are asked for, with the words people read
erasing       words taken from tapes and from all that was drawn from them
retention     that, for topics that ended long ago
archiving     finished tapes go to the archive
rebuild       topic rows made anew from a tape
acts          an act: one transaction, its refusal recorded after the roll-back
locks         locks until the transaction ends, and their order
ids           ids taken before their row exists
signals       what topics tell the world
apps          the Django app
"""

from __future__ import annotations
