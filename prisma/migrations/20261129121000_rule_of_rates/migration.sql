-- Which rule chose the source of a rate. Rows of the first rule (the blended series, crossed through the
-- euro) are asked again by code that asks the ECB first; older code neither sees nor sets the column.
alter table rates add column rule integer not null default 1;
