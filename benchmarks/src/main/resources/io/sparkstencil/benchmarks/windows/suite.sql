-- Windows as users write them, each with its name before it. The views cells and shuffled have the same
-- rows, by time and in random order; stations has a row for each series.

-- mean
select series, t, v, avg(v) over (partition by series order by t rows between 8 preceding and 8 following) as m
from cells;

-- mean-of-random-order
select series, t, v, avg(v) over (partition by series order by t rows between 8 preceding and 8 following) as m
from shuffled;

-- sum-of-int
select series, t, i, sum(i) over (partition by series order by t rows between 29 preceding and current row) as m
from cells;

-- least-and-greatest
select series, t, v, min(v) over w as low, max(v) over w as high
from cells window w as (partition by series order by t rows between 16 preceding and current row);

-- nulls
select series, t, n, avg(n) over w as m, count(n) over w as c
from cells window w as (partition by series order by t rows between 8 preceding and 8 following);

-- standard-deviation
select series, t, v, stddev(v) over (partition by series order by t rows between 8 preceding and current row) as m
from cells;

-- change
select series, t, l - lag(l) over w as back, lead(l, 2) over w as ahead
from cells window w as (partition by series order by t);

-- text-before
select series, t, s, lag(s) over (partition by series order by t) as m from shuffled;

-- first-and-last
select series, t, v, first_value(v) over w as opened, last_value(v) over w as closed
from cells window w as (partition by series order by t rows between 8 preceding and 8 following);

-- second-value
select series, t, v, nth_value(v, 2) over (partition by series order by t) as m from cells;

-- row-number
select series, t, v, row_number() over (partition by series order by t) as m from cells;

-- ranks
select series, i, rank() over w as r, dense_rank() over w as d
from cells window w as (partition by series order by i desc);

-- quarters
select series, t, v, ntile(4) over (partition by series order by v, t) as m from cells;

-- running-sum
select series, t, v, sum(v) over (partition by series order by t) as m from shuffled;

-- running-sum-descending
select series, t, l, sum(l) over (partition by series order by t desc rows unbounded preceding) as m from cells;

-- range-of-numbers
select series, t, v, avg(v) over (partition by series order by t range between 40000 preceding and current row) as m
from cells;

-- range-of-days
select series, day, v, max(v) over (partition by series order by day range between interval 1 day preceding and current row) as m
from cells;

-- share
select series, t, l, l / sum(l) over (partition by series) as m from cells;

-- mean-of-decimal
select series, t, d, avg(d) over (partition by series order by t rows between 8 preceding and 8 following) as m
from cells;

-- running-decimal-of-names
select name, t, d, sum(d) over (partition by name order by t) as m from cells;

-- mean-of-names
select name, t, v, avg(v) over (partition by name order by t rows between 8 preceding and 8 following) as m
from shuffled;

-- days-as-keys
select day, t, l, max(l) over (partition by day order by t desc rows between 3 preceding and 3 following) as m
from cells;

-- two-keys
select series, few, t, v,
  avg(v) over (partition by series order by t rows between 8 preceding and 8 following) as a,
  avg(v) over (partition by few order by t rows between 8 preceding and 8 following) as b
from cells;

-- stacked
select series, t, m, max(m) over (partition by series order by t rows between 8 preceding and current row) as high
from (
  select series, t, avg(v) over (partition by series order by t rows between 8 preceding and 8 following) as m
  from cells);

-- filter-below
select series, t, avg(v) over (partition by series order by t rows between 8 preceding and 8 following) as m
from cells where v > 30 and i % 3 <> 0;

-- aggregate-above
select series, max(m) as high, count(*) as c
from (
  select series, avg(v) over (partition by series order by t rows between 8 preceding and 8 following) as m
  from shuffled)
group by series;

-- join-above
select region, t, m
from (
  select series, t, avg(v) over (partition by series order by t rows between 8 preceding and 8 following) as m
  from cells)
join stations using (series);

-- one-series
select t, v, avg(v) over (order by t rows between 8 preceding and 8 following) as m from cells;

-- first-three
select series, t, v from (
  select series, t, v, row_number() over (partition by series order by v desc, t) as r
  from cells)
where r <= 3;

-- all-columns
select *, avg(v) over (partition by series order by t rows between 8 preceding and 8 following) as m from shuffled;
