-- Reports of voters that have lost their weight withdraw what they had found, so what was folded up to some event is
-- folded again. States of the former form are, when they are read.
delete from checkpoints;
delete from quarantined_evidence;
