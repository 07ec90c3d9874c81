"""What people can do, a module a noun: the product's table of contents.

questions     ask one; see first what asking would start, finish or join
placement     where a question goes: the decision behind both
references    what a question names, looked up with its asker's rights
mentions      read those names off a question
opened_by     what of a person's open topics and facts fits a question
open_knowledge who has opened most to the whole company
sharing       open topics to others, take them back, come by a link
answers       wait for an answer without a browser, and work it out when no worker is alive
topics        see how topics stand, finish them
entries       read a topic's entries
topic_list    search and filter topics; pin, rename, finish many
recalled      see which earlier topics were recalled for one; dismiss one, bring it back
segments      the segments of a topic too long for its model: what each held, what was kept
open_topics   see what people have open, and finish it, for administrators
turns         see how a turn stands, stop it
tapes         find tapes, see what stands on one, have it checked
tape_reading  read entries, anchors, search and long output of a tape
tape_search   find words on all the tapes one may see
tape_forks    forks as people see them
tape_acts     hand off, reset, mark, correct; open, merge and discard side lines
seen          see what the model saw in every call of a turn, with its proof
named_views   keep views under a name, open them with today's rights
facts         see facts with their origin: the queue, the accepted ones, one's own
fact_review   propose a fact, take it back; accept, edit and reject
contributors  see what another person contributed
fact_showing  facts as a person sees them
evidence      open cited lines at their commit; see whether they still stand
code          the outline, history and names of cited code; other lines at a commit
stream        follow tapes live
repositories  see the repositories one may read or manages, and what was left out of them
upkeep        add, change, index, grant and remove repositories
webhooks      hear from servers of code that something was pushed; open and close their addresses
search        find code without asking
vocabulary    see what words map to and why; add and suppress pairs
evaluation    keep questions with known places, run them, see the trend
measuring     ask a file of such questions, or a kept set, here and now
erasing       take a range of a tape away for good, where its words must not stay
archiving     copy finished tapes to the archive, let partitions leave
vectors       see how far search by meaning is; fill it, cancel
hooks         see the hooks of topics and how they do; switch them off and on
costs         what calls cost, by everything they can be told apart by, for administrators
budgets       set, change and end budgets and prices; price what was unknown
ledger        make the ledger of calls anew from tapes
people        who one is, the language one reads; add people
running       version and readiness
demo          what a newcomer starts with: people, repositories, questions
access        where the two policies of permission meet; everything above reaches rows through it
prose         what of an answer may be read where its code may not
refusals      what a person is told when something is not done
sentences     the first sentence of an answer
"""

from __future__ import annotations

from kb_agent import tasks as tasks  # What is done here wakes workers by its signals.
