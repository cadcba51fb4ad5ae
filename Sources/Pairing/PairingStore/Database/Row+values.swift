internal import FoundationEssentials
internal import GRDB

extension Row {
    /// Returns the value of a column. GRDB's subscripts end the process if the file has a value of an unexpected type.
    func value<Value: DatabaseValueConvertible>(_ column: String) throws(StoreError) -> Value {
        guard let value: Value = try optional(column) else { throw Self.unreadable(column) }
        return value
    }

    /// Returns the value of a column that may be NULL.
    func optional<Value: DatabaseValueConvertible>(_ column: String) throws(StoreError) -> Value? {
        let value: DatabaseValue? = self[column]
        guard let value, !value.isNull else { return nil }
        guard let result = Value.fromDatabaseValue(value) else { throw Self.unreadable(column) }
        return result
    }

    /// Returns the bytes of a column.
    func bytes(_ column: String) throws(StoreError) -> [UInt8] {
        guard let bytes = try optionalBytes(column) else { throw Self.unreadable(column) }
        return bytes
    }

    /// Returns the bytes of a column that may be NULL.
    func optionalBytes(_ column: String) throws(StoreError) -> [UInt8]? {
        let value: DatabaseValue? = self[column]
        switch value?.storage {
        case nil, .null: return nil
        case .blob(let data): return Array(data)
        case .int64, .double, .string: throw Self.unreadable(column)
        }
    }

    /// Returns a column's value as converted by `read`; throws if that returns `nil`.
    func read<Stored: DatabaseValueConvertible, Value>(
        _ column: String,
        _ read: (Stored) -> Value?
    ) throws(StoreError) -> Value {
        guard let value = read(try value(column)) else { throw Self.unreadable(column) }
        return value
    }

    static func unreadable(_ column: String) -> StoreError {
        StoreError(
            .unreadable,
            expected: "a value that this version reads",
            found: "another one in the column \(column). It is kept as it is",
            column: column
        )
    }
}

extension [UInt8] {
    /// The bytes as a value for SQLite.
    var blob: DatabaseValue { Data(self).databaseValue }
}
