# A day's use of Python: many modules, exceptions, threads, generators, children. Always prints the same.
import argparse, array, ast, asyncio, base64, bisect, bz2, collections, configparser, copy, csv, ctypes, datetime, decimal, difflib, dis, email, fractions
import functools, hashlib, heapq, html.parser, io, itertools, json, lzma, math, operator, os, pickle, queue, random, re, shlex, signal, sqlite3, statistics, string
import struct, subprocess, sys, tempfile, textwrap, threading, tokenize, traceback, unittest, xml.etree.ElementTree as tree, zipfile, zlib
import multiprocessing

def digest(data):
    return hashlib.sha256(data if isinstance(data, bytes) else repr(data).encode()).hexdigest()[:16]

random.seed(7)
numbers = [random.randrange(10 ** 9) for _ in range(20000)]
print("sorted", digest(sorted(numbers)), statistics.median(numbers), bisect.bisect(sorted(numbers), 5 * 10 ** 8), heapq.nsmallest(3, numbers))
text = " ".join(random.choice(string.ascii_lowercase) * random.randrange(1, 5) for _ in range(5000))
print("re", len(re.findall(r"(\w)\1{2,}", text)), digest(re.sub(r"(\w+) (\w+)", r"\2 \1", text)))
for pack in zlib, bz2, lzma:
    packed = pack.compress(text.encode())
    print(pack.__name__, digest(packed), pack.decompress(packed).decode() == text)
data = {"list": numbers[:500], "text": text[:300], "nested": {str(i): [i, i / 3, None, True] for i in range(200)}}
print("json", digest(json.dumps(data, sort_keys=True, indent=1)), json.loads(json.dumps(data)) == data)
print("pickle", digest(pickle.dumps(data, 4)), pickle.loads(pickle.dumps(data)) == data, copy.deepcopy(data) == data)
print("decimal", decimal.Decimal(2).sqrt(), sum((fractions.Fraction(1, n) for n in range(1, 60)), fractions.Fraction()), math.factorial(60), pow(3, 10 ** 5, 10 ** 9 + 7))
base = sqlite3.connect(":memory:")
base.execute("create table t(a, b)")
base.executemany("insert into t values (?, ?)", ((n, str(n)) for n in numbers[:3000]))
base.create_function("twice", 1, lambda x: 2 * x)
print("sqlite3", base.execute("select count(*), sum(twice(a)), max(b) from t").fetchone())
root = tree.fromstring("<a>" + "".join(f"<b n='{i}'>t{i}</b>" for i in range(500)) + "</a>")
print("xml", len(root), sum(int(b.get("n")) for b in root.iter("b")), digest(tree.tostring(root)))
print("ast", digest(ast.dump(ast.parse(open(__file__).read()))), len(list(dis.get_instructions(digest))))
out = io.StringIO()
csv.writer(out).writerows(zip(numbers[:50], text.split()))
print("csv", digest(out.getvalue()), len(list(csv.reader(io.StringIO(out.getvalue())))))
qsort = ctypes.CDLL(None).qsort
compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))(lambda a, b: a[0] - b[0])
values = (ctypes.c_int * 200)(*[n % 1000 for n in numbers[:200]])
qsort(values, 200, ctypes.sizeof(ctypes.c_int), compare)
print("ctypes", list(values) == sorted(values), digest(list(values)))

def fails(depth):
    try:
        if depth:
            fails(depth - 1)
        else:
            [].pop()
    except IndexError as error:
        if depth % 10 == 0:
            raise ValueError(depth) from error
        raise
    finally:
        counts[depth % 3] += 1
counts = collections.Counter()
for _ in range(30):
    try:
        fails(50)
    except ValueError as error:
        last = "".join(traceback.format_exception_only(type(error), error)).strip()
print("exceptions", dict(counts), last)
def recurses(n):
    return recurses(n + 1)
try:
    recurses(0)
except RecursionError as error:
    print("recursion", error)

def generates(n):
    for i in range(n):
        try:
            yield i * i
        except GeneratorExit:
            counts["closed"] += 1
            raise
one = generates(100)
print("generator", sum(itertools.islice(one, 10)), one.close(), counts["closed"])
async def waits(n):
    await asyncio.sleep(0)
    return n * 2
async def gathers():
    return sum(await asyncio.gather(*(waits(i) for i in range(300))))
print("asyncio", asyncio.run(gathers()))
jobs, done = queue.Queue(), []
def works():
    while (item := jobs.get()) is not None:
        done.append(digest(str(item)))
threads = [threading.Thread(target=works) for _ in range(6)]
for thread in threads:
    thread.start()
for i in range(600):
    jobs.put(i)
for _ in threads:
    jobs.put(None)
for thread in threads:
    thread.join()
print("threads", digest(sorted(done)))
signal.signal(signal.SIGUSR1, lambda number, frame: counts.update(["signal"]))
for _ in range(20):
    os.kill(os.getpid(), signal.SIGUSR1)
print("signals", counts["signal"])
print("child", subprocess.run([sys.executable, "-S", "-c", "import sys; print(sum(range(1000))); sys.exit(9)"], capture_output=True))
with multiprocessing.get_context("fork").Pool(3) as pool:
    print("forked", sum(pool.map(functools.partial(operator.mul, 3), range(200))))
class Test(unittest.TestCase):
    def test_fails(self):
        with self.assertRaises(ZeroDivisionError):
            1 / 0
print("unittest", unittest.TextTestRunner(stream=io.StringIO()).run(unittest.defaultTestLoader.loadTestsFromTestCase(Test)))
with tempfile.TemporaryDirectory() as folder:
    with zipfile.ZipFile(os.path.join(folder, "z.zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("text"), text)
    print("zip", digest(open(os.path.join(folder, "z.zip"), "rb").read()))
print("text", digest("\n".join(textwrap.wrap(text))), digest("\n".join(difflib.unified_diff(text.split()[:80], text.split()[5:90]))), shlex.split("a 'b c' d"))
print("time", datetime.datetime(2024, 2, 29, 12) + datetime.timedelta(days=366), struct.pack("<IHd", 1, 2, 3.5).hex(), base64.b85encode(b"some bytes"))
sys.exit(11)
