# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Types of columns."""


class DataType:
    def __init__(self, jtype):
        self._jtype = jtype

    def simpleString(self):
        return self._jtype.simpleString()


class DateType(DataType):
    pass


class TimestampType(DataType):
    pass


class TimestampNTZType(DataType):
    pass


class NumericType(DataType):
    pass


_KNOWN = {"date": DateType, "timestamp": TimestampType, "timestamp_ntz": TimestampNTZType}
_NUMBERS = ("tinyint", "smallint", "int", "bigint", "float", "double")


class StructField:
    def __init__(self, jfield):
        jtype = jfield.dataType()
        name = jtype.simpleString()
        is_number = name in _NUMBERS or name.startswith("decimal")
        self.name = jfield.name()
        self.dataType = _KNOWN.get(name, NumericType if is_number else DataType)(jtype)


class StructType:
    def __init__(self, jschema):
        self.fields = [StructField(field) for field in jschema.fields()]

    def __getitem__(self, name):
        return next(field for field in self.fields if field.name == name)
