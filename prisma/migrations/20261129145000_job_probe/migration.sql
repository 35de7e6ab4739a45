-- The newest event that was sent to the job server to see it come back. One row. Older code does not look at it.
create table job_probes (
  id text primary key check (id = 'newest'),
  sent_at timestamptz(3) not null,
  unanswered_since timestamptz(3),
  answered_at timestamptz(3),
  refusal text
);
