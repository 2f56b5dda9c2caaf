-- A day's use of sqlite3. Always prints the same.
.bail off
.headers on
.mode column
create table numbers(n integer primary key, name text, weight real);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 6000)
	insert into numbers select x, printf('name %05d', (x * 7919) % 20011), (x % 977) / 7.0 from c;
create index by_name on numbers(name);
create index by_weight on numbers(weight, name);
select count(*), sum(n), round(avg(weight), 6), min(name), max(name) from numbers;
select n, name from numbers where name between 'name 00100' and 'name 00110' order by name desc;
explain query plan select * from numbers where weight > 100 order by name;
create table parts(number integer references numbers(n) on delete cascade, part text);
insert into parts select n, substr(name, 1, n % 9) from numbers where n % 3 = 0;
select n.name, count(p.part), group_concat(p.part, '|') from numbers n left join parts p on p.number = n.n where n.n < 20 group by n.n having count(*) > 0;
select name, rank() over (order by weight desc, n), sum(weight) over (order by n rows 3 preceding) from numbers where n < 12;
begin;
update numbers set weight = weight * 2 where n % 2 = 0;
savepoint inner_one;
delete from numbers where n > 3000;
select count(*) from numbers;
rollback to inner_one;
commit;
select count(*), round(sum(weight), 3) from numbers;
create trigger on_part after insert on parts begin update numbers set weight = -1 where n = new.number; end;
insert into parts values (1, 'one'), (2, 'two');
select * from numbers where weight < 0;
create view heavy as select * from numbers where weight > 200;
select count(*) from heavy;
select json_extract('{"a":[1,2,{"b":3}]}', '$.a[2].b'), json_group_array(n) from numbers where n < 6;
select upper(hex(zeroblob(4))), quote(x'0102'), typeof(1.0), coalesce(null, 'x'), like('%ame 0000_', 'name 00007'), 'abc' glob 'a*c';
select date('2024-02-30'), strftime('%Y-%j', '2024-03-01'), julianday('2000-01-01 12:00');
select abs(-9223372036854775807), 7 / 2, 7 % 3, 1 / 0, 9223372036854775807 + 1, round(2.5), cast('12abc' as integer);
select * from no_such_table;
insert into numbers values (1, 'twice', 0);
select max(n) from numbers union select min(n) from numbers except select 5 order by 1;
create virtual table texts using fts5(body);
insert into texts select name || ' of weight ' || n from numbers where n < 500;
select count(*) from texts where texts match 'weight AND 42';
pragma integrity_check;
vacuum;
analyze;
pragma page_count;
.mode csv
select * from numbers where n in (select number from parts where part like 'name%' limit 5);
.mode insert numbers
select * from numbers limit 3;
.dump parts_of_nothing
.tables
.schema
