# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

"""What gdb shows of weft, in a process or a core file: `weft workers`, `weft waiters`, and contexts, workers, locks and
channels where gdb prints values. Needs the debug information of what is looked at."""

import re

import gdb
import gdb.printing

# platform/parker.hpp
SLEEPS = {1: "asleep", 2: "asleep in the reactor"}
# sync/semaphore_word.hpp
ONE, LIST, FLAGS = 1, 2, 7


class NotThere(Exception):
    """Something that cannot be shown, and why."""


def plain(value):
    """The number or pointer inside std::atomic, std::unique_ptr, a cell and their like."""
    while True:
        kind = value.type.strip_typedefs()
        if kind.code == gdb.TYPE_CODE_ARRAY:
            value = value[0]
        elif kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            inner = [f for f in kind.fields() if hasattr(f, "bitpos") and not is_empty(f.type)]
            if not inner:
                raise NotThere(f"{kind} has no value in it")
            value = value[inner[0]]
        else:
            return value


def is_empty(kind):
    """Whether it is a class without data."""
    kind = kind.strip_typedefs()
    return kind.code == gdb.TYPE_CODE_STRUCT and all(
        not hasattr(f, "bitpos") or is_empty(f.type) for f in kind.fields())


def type_named(pattern):
    """The type whose name matches: the names of configurations are part of it."""
    text = gdb.execute("info types " + pattern, to_string=True)
    for line in text.splitlines():
        name = re.sub(r"^\s*(?:\d+:)?\s*(?:class|struct)?\s*|;\s*$", "", line)
        if re.match(r"weft::", name):
            try:
                return gdb.lookup_type(name)
            except gdb.error:
                continue
    raise NotThere("there is no debug information of weft, or no " + pattern)


def scheduler_type():
    return type_named(r"^weft::detail::basic_scheduler<weft::.*asio_traits>$")


def symbol_at(address):
    """The name of the function at an address, or ""."""
    text = gdb.execute(f"info symbol {int(address)}", to_string=True)
    text = re.sub(r"\b(weft::(?:detail::)?)asio_\w+::", r"\1", text)
    return "" if text.startswith("No symbol") else re.sub(r"(?: \+ \d+)? in section .*", "", text.strip(), flags=re.S)


def first_argument(name):
    """The first template argument of the first template in a name."""
    depth, begin = 0, name.find("<") + 1
    if begin == 0:
        return ""
    for at in range(begin, len(name)):
        if name[at] in "<({":
            depth += 1
        elif name[at] in ">)}":
            if depth == 0:
                return name[begin:at]
            depth -= 1
        elif name[at] == "," and depth == 0:
            return name[begin:at]
    return name[begin:]


# Schedulers


def scheduler_of(context):
    """The scheduler of an io_context or thread_pool, or of a pointer or reference to one."""
    while context.type.strip_typedefs().code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF):
        context = context.referenced_value()
    return plain(context["scheduler_"]).cast(scheduler_type().pointer()).dereference()


def schedulers_in_threads():
    """The schedulers that the threads are inside of."""
    found, kind = {}, scheduler_type()
    here, frame = gdb.selected_thread(), gdb.selected_frame()
    try:
        for thread in gdb.selected_inferior().threads():
            thread.switch()
            try:
                level = gdb.parse_and_eval("weft::detail::current_level")
                while int(level) != 0:
                    if int(level["sched"]) != 0:
                        found[int(level["sched"])] = level["sched"].cast(kind.pointer()).dereference()
                    level = level["outer"]
            except gdb.error:
                continue  # has no storage of its own yet
    finally:
        here.switch()
        frame.select()
    return [found[where] for where in sorted(found)]


def workers_of(scheduler):
    table = scheduler["workers"]
    entries = plain(table["entries_"])
    return [entries[i].dereference() for i in range(int(plain(table["size_"])))]


def thread_of(worker):
    """What gdb calls the thread that has a worker."""
    handle = int(worker["holder"]["thread"])
    for thread in gdb.selected_inferior().threads():
        try:
            if int.from_bytes(thread.handle(), "little") == handle:
                return f'thread {thread.num} "{thread.name}"'
        except gdb.error:
            break
    return f"thread {handle:#x}"


def activity_of(worker):
    if not worker["holder"]["present"]:
        return "without a thread"
    return SLEEPS.get(int(plain(worker["sleep"]["state_"])), "awake")


def describe_worker(worker):
    who = "" if not worker["holder"]["present"] else ", " + thread_of(worker)
    return (f"worker {int(worker['index'])}: {activity_of(worker)}{who}, "
        f"{int(plain(worker['count']['handlers']))} run")


# Primitives and those that wait


def services_of(scheduler):
    context = scheduler["driver"].dereference()["owner_"].referenced_value()
    service = context["service_registry_"].dereference()["first_service_"]
    while int(service) != 0:
        yield service
        service = service.dereference()["next_"]


def primitives_of(scheduler):
    for service in services_of(scheduler):
        kind = service.dynamic_type
        if str(kind.target()).endswith("::primitive_service"):
            primitive = service.cast(kind).dereference()["first_"]
            while int(primitive) != 0:
                yield primitive.cast(primitive.dynamic_type).dereference()
                primitive = primitive.dereference()["next_"]


def kind_of(primitive):
    found = re.search(r"(\w+)_kind>$", str(primitive.type.strip_typedefs()))
    return found.group(1) if found else "primitive"


def links_of(waiters):
    """The addresses of the hooks in a waiter_list."""
    end = waiters["end_"].address
    link = plain(end.dereference()["next_"])
    while int(link) != int(end):
        hook = gdb.Value(int(link)).cast(end.type)
        yield int(link)
        link = plain(hook.dereference()["next_"])


def waiting_at(primitive):
    """(What it waits for, address of the waiter) of each that waits."""
    state = primitive["state"]
    if kind_of(primitive) == "channel":
        for field, what in (("senders_", "to send"), ("send_watchers_", "until it can send"),
                ("receivers_", "to receive"), ("receive_watchers_", "until it can receive")):
            for link in links_of(state[field]):
                yield what, link
    else:
        word = int(plain(state["word_"]))
        if word & ONE:
            yield "", word & ~FLAGS
        elif word & LIST:
            for link in links_of(state["list_"]):
                yield "", link


def operation_at(waiter):
    """The wait_op_base whose base class the waiter at an address is."""
    kind = type_named(r"^weft::detail::.*wait_op_base$")
    offset = next(f.bitpos // 8 for f in kind.fields() if f.is_base_class and f.name.endswith("::waiter"))
    return gdb.Value(waiter - offset).cast(kind.pointer())


def coroutines_of(handler):
    """The names of the coroutines that one of Asio's handlers resumes: the innermost first, without those of libraries."""
    found, pointer = [], gdb.lookup_type("void").pointer().pointer()
    frame = plain(handler["bottom_of_stack_"]).dereference()["top_of_stack_"]
    while int(frame) != 0:
        resume = gdb.Value(int(plain(frame.dereference()["coro_"]))).cast(pointer).dereference()
        name = symbol_at(resume).split("(")[0]
        if name and not re.match(r"boost::asio::|weft::detail::", name):
            found.append(name)
        frame = frame.dereference()["caller_"]
    return found


def describe_operation(operation):
    """What waits: the coroutine, or the type of the handler."""
    function = symbol_at(operation.dereference()["submit_elsewhere_"])
    handler = first_argument(function)
    if "boost::asio::detail::awaitable_" in handler:
        try:
            # The type's name is not written as in that of the function: it is the type of a variable there.
            block = gdb.block_for_pc(int(operation.dereference()["submit_elsewhere_"]))
            kind = next(s.type for s in block if s.name == "self")
            names = coroutines_of(operation.cast(kind.unqualified()).dereference()["handler_"])
            if names:
                return "coroutine " + ", called by ".join(names)
        except (gdb.error, NotThere, StopIteration, TypeError):
            pass
    return handler or "an operation"


def name_of(primitive):
    name = primitive["name_"]
    try:
        return name["_M_dataplus"]["_M_p"].string()
    except gdb.error:
        return ""


def describe_primitive(primitive, waiting):
    name = name_of(primitive)
    return f"{kind_of(primitive)}{f' {chr(39)}{name}{chr(39)}' if name else ''}, {waiting} wait"


# Commands


def chosen(argument):
    """The schedulers that a command is about."""
    if argument.strip():
        return [scheduler_of(gdb.parse_and_eval(argument))]
    found = schedulers_in_threads()
    if not found:
        raise NotThere("no thread runs a context of weft's; name one: weft workers CONTEXT")
    return found


class Weft(gdb.Command):
    """What gdb shows of weft: `weft workers`, `weft waiters`."""

    def __init__(self):
        super().__init__("weft", gdb.COMMAND_STATUS, prefix=True)


class OfContexts(gdb.Command):
    """A command about one context, or about all that threads are inside of."""

    def __init__(self, name):
        super().__init__("weft " + name, gdb.COMMAND_STATUS, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, _from_tty):
        try:
            for scheduler in chosen(argument):
                stopped = ", stopped" if plain(scheduler["stopped"]) else ""
                print(f"weft scheduler at {int(scheduler.address):#x}{stopped}")
                self.show(scheduler)
        except NotThere as why:
            raise gdb.GdbError("weft: " + str(why))


class Workers(OfContexts):
    """weft workers [CONTEXT]: the workers of a context, their threads, and whether they sleep; of all contexts that
threads are inside of, if none is named."""

    def __init__(self):
        super().__init__("workers")

    def show(self, scheduler):
        for worker in workers_of(scheduler):
            print("  " + describe_worker(worker))


class Waiters(OfContexts):
    """weft waiters [CONTEXT]: the locks and channels of a context at which coroutines or other operations wait, and
those; of all contexts that threads are inside of, if none is named."""

    def __init__(self):
        super().__init__("waiters")

    def show(self, scheduler):
        for primitive in primitives_of(scheduler):
            waiting = list(waiting_at(primitive))
            if not waiting:
                continue
            print(f"  {describe_primitive(primitive, len(waiting))}")
            for what, waiter in waiting:
                print(f"    {describe_operation(operation_at(waiter))}{' ' + what if what else ''}")


# Printers


class ContextPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            doing = [activity_of(w) for w in workers_of(scheduler_of(self.value))]
        except (gdb.error, NotThere) as why:
            return f"{self.value.type.name.split('::')[-1]} ({why})"
        inside = [d for d in doing if d != "without a thread"]
        asleep = [d for d in inside if d != "awake"]
        return f"weft::{self.value.type.name.split('::')[-1]}, {len(inside)} threads inside, {len(asleep)} asleep"


class PrimitivePrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        core = self.value["core_"]
        return "weft::" + describe_primitive(core, len(list(waiting_at(core))))


class WorkerPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return describe_worker(self.value)


def printers():
    collection = gdb.printing.RegexpCollectionPrettyPrinter("weft")
    collection.add_printer("context", r"^weft::(\w+::)?(io_context|thread_pool)$", ContextPrinter)
    collection.add_printer("primitive", r"^weft::(\w+::)?basic_(mutex|semaphore|shared_mutex|channel)<.*>$",
        PrimitivePrinter)
    collection.add_printer("worker", r"^weft::detail::basic_worker<.*>$", WorkerPrinter)
    return collection


Weft()
Workers()
Waiters()
gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
