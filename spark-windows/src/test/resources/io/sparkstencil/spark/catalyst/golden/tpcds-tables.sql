-- Tables with the columns that the window queries of TPC-DS read, and rows that their conditions let through.
create or replace temporary view date_dim as
select cast(id as int) as d_date_sk, d_date, year(d_date) as d_year, month(d_date) as d_moy, quarter(d_date) as d_qoy,
  (year(d_date) - 1900) * 12 + month(d_date) - 1 as d_month_seq, cast(id / 7 as int) as d_week_seq,
  date_format(d_date, 'EEEE') as d_day_name
from (select id, date_add(date'1998-11-01', cast(id as int)) as d_date from range(0, 1155));

create or replace temporary view item as
select i_item_sk, concat('AAAA', i_item_sk % 40) as i_item_id, concat('item ', i_item_sk) as i_item_desc,
  concat('product ', i_item_sk) as i_product_name, kind.i_category, kind.i_class, kind.i_brand,
  i_item_sk % 9 as i_brand_id, i_item_sk % 5 as i_manager_id, i_item_sk % 4 as i_manufact_id,
  cast(pmod(hash(i_item_sk), 9999) / 100 as decimal(7, 2)) as i_current_price
from (
  select cast(id as int) as i_item_sk, element_at(array(
    named_struct('i_category', 'Books', 'i_class', 'personal', 'i_brand', 'scholaramalgamalg #14'),
    named_struct('i_category', 'Electronics', 'i_class', 'stereo', 'i_brand', 'scholaramalgamalg #7'),
    named_struct('i_category', 'Women', 'i_class', 'accessories', 'i_brand', 'amalgimporto #1'),
    named_struct('i_category', 'Men', 'i_class', 'shirts', 'i_brand', 'exportiimporto #1'),
    named_struct('i_category', 'Sports', 'i_class', 'football', 'i_brand', 'amalgimporto #1'),
    named_struct('i_category', 'Home', 'i_class', 'rugs', 'i_brand', null),
    named_struct('i_category', 'Music', 'i_class', 'classical', 'i_brand', 'edu packscholar #1')),
    cast(id % 7 + 1 as int)) as kind
  from range(0, 61));

create or replace temporary view store as
select cast(id as int) as s_store_sk, concat('S', id) as s_store_id, if(id = 3, null, concat('shop ', id % 4)) as s_store_name,
  'company' as s_company_name, element_at(array('TN', 'TN', 'CA'), cast(id % 3 + 1 as int)) as s_state,
  concat('county ', id % 2) as s_county
from range(1, 9);

create or replace temporary view call_center as
select cast(id as int) as cc_call_center_sk, concat('center ', id) as cc_name from range(1, 4);

create or replace temporary view sales as
select id, cast(pmod(hash(id, 1), 1155) as int) as sold_date_sk, if(id % 97 = 0, null, cast(pmod(hash(id, 2), 61) as int)) as item_sk,
  cast(pmod(hash(id, 3), 8) + 1 as int) as place_sk, if(id % 2 = 0, null, cast(id as int)) as addr_sk,
  cast(pmod(hash(id, 4), 90) + 1 as int) as quantity,
  cast(pmod(hash(id, 5), 20000) / 100 as decimal(7, 2)) as sales_price,
  if(id % 53 = 0, null, cast(pmod(hash(id, 6), 1500000) / 100 as decimal(7, 2))) as ext_sales_price,
  cast(pmod(hash(id, 7), 1500000) / 100 as decimal(7, 2)) as net_paid,
  cast((pmod(hash(id, 8), 900000) - 200000) / 100 as decimal(7, 2)) as net_profit,
  cast(pmod(hash(id, 9), 20) as int) as return_quantity,
  cast(pmod(hash(id, 10), 2000000) / 100 as decimal(7, 2)) as return_amt
from range(0, 9000);

create or replace temporary view store_sales as
select sold_date_sk as ss_sold_date_sk, item_sk as ss_item_sk, place_sk as ss_store_sk, addr_sk as ss_addr_sk,
  id as ss_ticket_number, quantity as ss_quantity, sales_price as ss_sales_price, ext_sales_price as ss_ext_sales_price,
  net_paid as ss_net_paid, net_profit as ss_net_profit
from sales where id % 3 < 2;

create or replace temporary view store_returns as
select item_sk as sr_item_sk, id as sr_ticket_number, return_quantity as sr_return_quantity, return_amt as sr_return_amt
from sales where id % 3 < 2 and id % 4 <> 0;

create or replace temporary view web_sales as
select sold_date_sk as ws_sold_date_sk, item_sk as ws_item_sk, id as ws_order_number, quantity as ws_quantity,
  sales_price as ws_sales_price, ext_sales_price as ws_ext_sales_price, net_paid as ws_net_paid, net_profit as ws_net_profit
from sales where id % 2 = 0;

create or replace temporary view web_returns as
select item_sk as wr_item_sk, id as wr_order_number, return_quantity as wr_return_quantity, return_amt as wr_return_amt
from sales where id % 4 = 0;

create or replace temporary view catalog_sales as
select sold_date_sk as cs_sold_date_sk, item_sk as cs_item_sk, pmod(place_sk, 3) + 1 as cs_call_center_sk,
  id as cs_order_number, quantity as cs_quantity, sales_price as cs_sales_price, ext_sales_price as cs_ext_sales_price,
  net_paid as cs_net_paid, net_profit as cs_net_profit
from sales where id % 5 < 3;

create or replace temporary view catalog_returns as
select item_sk as cr_item_sk, id as cr_order_number, return_quantity as cr_return_quantity, return_amt as cr_return_amount
from sales where id % 5 < 2;
