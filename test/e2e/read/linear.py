# linear.py SHAPE COUNT: prints a profile with which a reader could be made to go through what it has again and again: deep, wide, all in one.
import sys


def folded_deep(count):
    return (";".join("f%u" % (i % 1000) for i in range(count)) + " 1\n").encode()


def folded_wide(count):
    return "".join("a;b%u;c%u;d%u 1\n" % (i % 7, i, i) for i in range(0, count, 4)).encode()


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


# Functions and places, each of one, and one path through all of them.
def pprof_deep(count):
    out = [message(1, number(1, 1) + number(2, 2))] + [message(6, text) for text in (b"", b"samples", b"count")]
    for i in range(1, count + 1):
        out.append(message(6, b"f%u" % i))
        out.append(message(5, number(1, i) + number(2, 2 + i)))
        out.append(message(4, number(1, i) + message(4, number(1, i))))
    path = b"".join(varint(i) for i in range(1, count + 1))
    return b"".join(out) + message(2, message(1, path) + message(2, b"\1"))


sys.stdout.buffer.write(globals()[sys.argv[1]](int(sys.argv[2])))
