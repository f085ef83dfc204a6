"""Predicates of several words that accept or decline a thing or a task.

In the syntax of `asides`: FINE stands for "fine", POOR for "bad", FLOAT may stand anywhere.
"""

TABLE = """
FINE: calling (my name|to me|me|out to me); what i am after; what i (want|need|fancy|crave) [most];
  the way to go; just what the doctor ordered; what the doctor ordered; written all over it; [right]
  up my (street|alley); [right] down my alley; my [sort|kind] of thing; my cup of tea; my
  department; my (speciality|specialty|forte|domain|territory|strong point|strong suit); my middle
  name; just the (ticket|thing|job); a (go|goer|yes|no brainer|must|winner|done deal|sure thing|good
  shout|definite|definite yes|deal|big yes|firm yes|solid yes|given); a (yes|go|thumbs up|green
  light) (from|for) (me|us); in order; fine and dandy; good to (go|have|know); cleared; doable;
  feasible; manageable; easily done; easy enough; much needed; in good hands; on the cards; more
  than (welcome|ok|fine|all right); most welcome; very welcome; quite all right; a good
  (job|task|thing) for (him|her|it|them); all right; a fine thing; just right; in my wheelhouse; as
  good as (any|it gets); hunky dory; tickety boo; all good; a ok; sorted for me; a doddle
POOR: (somebody|someone|anybody|anyone|another person) (else|elses|else's)
  (problem|job|turn|business|department|concern|baby); a (no|no go|non starter|hard no|big no|firm
  no|definite no|flat no|no no|thumbs down|bridge too far|step too far|hard pass|pass|stretch)
  [(from|for) (me|us)]; (a no|not a yes) from (me|us); out of the question; off the
  (table|cards|menu for now); beyond me; beneath me; above my pay grade; out of my (league|depth);
  (too much|too hard|too difficult|too fiddly) for me; against my (religion|will); the last thing
  (i|we) (need|want); more than i can (manage|handle|do); no (use|good) to (me|us); surplus to
  requirements; (a bit|rather|far|way|much|a little|bit) too (soon|early|much|hasty|quick); too
  hasty; nobody's idea of fun; over the top; asking too much; a lot to ask; not on; not [a] good
  [idea]; on hold; on ice; not an option; not happening; not going to happen
HEDGE: shall we say
PLEASE: do not be (shy|stingy|mean|afraid|timid) [with it]; be generous [with it]; no holding back
FLOAT: (like|as) (you|we|i|they|it) [just]
  (said|suggested|proposed|planned|agreed|wanted|asked|mentioned); with (my|your|his|its|their) own
  [two|fair|bare] (hands|hand); with (both|two|bare|my|these) hands; with
  (pleasure|care|gusto|love|a smile|great care|caution); at (your|its|his|their) (own
  pace|convenience|leisure|earliest convenience); in (your|its|his) own (good time|time|sweet time);
  whenever (it|that) suits [you|him|it|them]; whenever (you|he|it|they)
  (like|likes|want|wants|fancy|wish); when (it|that) suits [you]; to be on the safe side; just in
  case; to be fair; all things considered; to my mind; if it is all the same to you; as far as i can
  (tell|see); for all i care; in a (flash|jiffy|jiff|tick|trice); in no time; on the double; pronto;
  sharpish; before (too|very) long; before long; any time (now|you like|soon); on (my|your) end; at
  (my|your) end; for once; for good measure; without (further ado|delay|fuss|hurry|haste); while
  (we|i|you) wait; one by one; bit by bit; a little at a time; to the last drop; over (at|by) the
  (hob|stove|sink|window|counter); (next to|beside|near|by|close to) (the
  (hob|stove|sink|window|counter|cooker|oven|door|bread)|me|us|you|here); if that is (ok|all
  right|fine|good) [with you|by you]; thank you; thank you [so|very] much; to start (us|things) off;
  to get (us|things) (going|started); as a starter; from the looks of it; by the looks of it; by the
  look of it; for (the|our) (guests|table|others|family|party|children|kids); straight off; there
  and then; then and there; one after the other; at your own speed; if there is time; time
  permitting; all of a sudden; on second thoughts then
"""
"""Kinds of chunks and the wordings of each."""
