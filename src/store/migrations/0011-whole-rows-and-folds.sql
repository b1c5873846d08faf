-- These rows are written with every report, and take 2 to 4 kB for an agent or a kind of work that much is reported of.
-- PostgreSQL compresses a row of more than 2 kB at each write, or moves a part of it to another table. To write it whole
-- took half of the processor time (28 instead of 46 µs for a state of 2.2 kB), and leaves nothing to vacuum elsewhere. Of
-- rows up to this size, two fit on a page, so that an update stays on the page and changes no index.
alter table agent_states set (toast_tuple_target = 4064);
alter table work_stats set (toast_tuple_target = 4064);
-- Reports by provisional platforms, and failed payments without an amount, are folded in another way, so what was folded
-- up to some event is folded again. States of the former form are, when they are read.
delete from checkpoints;
delete from quarantined_evidence;
