"""The agent: a loop over one turn, its prompt, its tools, and the checks on what it may claim.

loop         the loop, on one screen
attempt      one attempt at a turn
pulse        its lease, renewed beside the loop; a stop, heard
limits       the named ends of a turn short of an answer
resuming     what an earlier attempt left open, settled
joining      what the asker added meanwhile, taken up
view         what the model is shown for one call
window       which entries that is
prompt       the system prompt
room         how much of the model's window a turn may fill
asking       the model, asked once
accounting   an event before every call and one after
toolbox      the tools, offered and run
tools        a file a tool
desk         for which turn and within which repositories a tool works
showing      places of code as the model reads them
reaching     what keeps a tool from a file, in words
earlier      the topics a turn may build on
quoting      earlier entries as text
recording    a step, written down
overload     a segment closed that no longer fits
recollection what is kept of it by rule
summing_up   what a model says of it
citations    every citation, checked
closing      the end of a turn
wording      our own few words to the asker
"""

from __future__ import annotations
