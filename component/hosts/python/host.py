"""A host that runs the component with wasmtime. Read a call from each line of standard input, and write its result."""

from __future__ import annotations

import json
import sys
from typing import Any

from wasmtime import Engine, Store
from wasmtime.component import (
    F64,
    Component,
    Linker,
    ListType,
    OptionType,
    Record,
    RecordType,
    ResourceAny,
    ResultType,
    ValType,
    Variant,
    VariantType,
)

PACKAGE = "smithy:waiters/{}@0.1.0"


class Host:
    """An instance of the component with its functions and resources."""

    def __init__(self, path: str) -> None:
        engine = Engine()
        self.store = Store(engine)
        self.instance = Linker(engine).instantiate(self.store, Component.from_file(engine, path))
        self.functions: dict[tuple[str, str], Any] = {}
        self.resources: list[ResourceAny | None] = []

    def function(self, interface: str, name: str) -> Any:
        """Return a function of an interface."""
        key = (interface, name)
        if key not in self.functions:
            of_interface = self.instance.get_export_index(self.store, PACKAGE.format(interface))
            index = self.instance.get_export_index(self.store, name, of_interface)
            self.functions[key] = self.instance.get_func(self.store, index)
        return self.functions[key]

    def call(self, interface: str, name: str, arguments: list[Any]) -> dict[str, Any]:
        """Call a function and return its result, or the error of a WIT `result`."""
        function = self.function(interface, name)
        signature = function.type(self.store)
        types = [type_ for _, type_ in signature.params]
        result = function(self.store, *map(self.lower, arguments, types))
        function.post_return(self.store)
        of_result = signature.result
        if not isinstance(of_result, ResultType):
            return {"ok": self.lift(result, of_result)}
        name, payload = self.case(result, of_result)
        if name == "err":
            return {"error": self.lift(payload, of_result.err)}
        return {"ok": None if of_result.ok is None else self.lift(payload, of_result.ok)}

    def drop(self, resource: dict[str, int]) -> None:
        """Drop a resource."""
        number = resource["resource"]
        dropped = self.resources[number]
        assert dropped is not None
        dropped.drop(self.store)
        self.resources[number] = None

    def lower(self, value: Any, type_: ValType) -> Any:
        """Convert JSON to a value of wasmtime."""
        if value is None:
            return None
        if isinstance(type_, OptionType):
            return self.lower(value, type_.payload)
        if isinstance(type_, ListType):
            return [self.lower(item, type_.element) for item in value]
        if isinstance(type_, RecordType):
            record = Record()
            for name, member in type_.fields:
                record.__dict__[name] = self.lower(value["record"].get(name), member)
            return record
        if isinstance(type_, VariantType):
            name, *payload = value["variant"]
            of_case = dict(type_.cases)[name]
            lowered = self.lower(payload[0], of_case) if of_case is not None else None
            return Variant(name, lowered) if is_tagged(type_) else lowered
        if isinstance(type_, F64):
            return float(value)
        if isinstance(value, dict):
            return value["u64"] if "u64" in value else self.resources[value["resource"]]
        return value

    def lift(self, value: Any, type_: ValType) -> Any:
        """Convert a value of wasmtime to JSON."""
        if isinstance(value, ResourceAny):
            self.resources.append(value)
            return {"resource": len(self.resources) - 1}
        if isinstance(type_, OptionType):
            return None if value is None else self.lift(value, type_.payload)
        if isinstance(type_, ListType):
            return [self.lift(item, type_.element) for item in value]
        if isinstance(type_, RecordType):
            return {"record": {name: self.lift(getattr(value, name), member) for name, member in type_.fields}}
        if isinstance(type_, (ResultType, VariantType)):
            name, payload = self.case(value, type_)
            of_case = dict(cases(type_))[name]
            return {"variant": [name] if of_case is None else [name, self.lift(payload, of_case)]}
        return value

    def case(self, value: Any, type_: ValType) -> tuple[str, Any]:
        """Return the case of a variant. wasmtime omits its name if the payload's class identifies it."""
        if is_tagged(type_):
            return value.tag, value.payload
        for name, of_case in cases(type_):
            # `None` represents a case without a payload, or an option without a value.
            of_value = object if value is None else type(value)
            if of_value in ({object} if of_case is None else classes(of_case)):
                return name, value
        raise TypeError(f"{value!r} is not a case of {type_}")


def cases(type_: Any) -> list[tuple[str, ValType | None]]:
    """Return the cases of a variant or a WIT `result`."""
    return [("ok", type_.ok), ("err", type_.err)] if isinstance(type_, ResultType) else type_.cases


def classes(type_: ValType) -> set[type]:
    """Return the Python classes of the values of a type."""
    found: set[type] = set()
    type_.add_classes(found)
    return found


def is_tagged(type_: ValType) -> bool:
    """Return whether wasmtime includes the names of cases, because two payloads have the same class."""
    seen: set[type] = set()
    for _, of_case in cases(type_):
        these = {object} if of_case is None else classes(of_case)
        if these & seen:
            return True
        seen |= these
    return False


def main() -> None:
    """Handle calls until the input ends."""
    host = Host(sys.argv[1])
    for line in sys.stdin:
        request = json.loads(line)
        if "drop" in request:
            host.drop(request["drop"])
            answer: dict[str, Any] = {}
        else:
            answer = host.call(request["interface"], request["function"], request["arguments"])
        print(json.dumps(answer), flush=True)


main()
