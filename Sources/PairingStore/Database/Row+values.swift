internal import Foundation
internal import GRDB

extension Row {
    /// The value of a column. GRDB's subscripts end the process where a file has another type than expected.
    func value<Value: DatabaseValueConvertible>(_ column: String) throws(StoreError) -> Value {
        guard let value: Value = try optional(column) else { throw Self.unreadable(column) }
        return value
    }

    /// The value of a column that may be NULL.
    func optional<Value: DatabaseValueConvertible>(_ column: String) throws(StoreError) -> Value? {
        let value: DatabaseValue? = self[column]
        guard let value, !value.isNull else { return nil }
        guard let result = Value.fromDatabaseValue(value) else { throw Self.unreadable(column) }
        return result
    }

    /// The bytes of a column.
    func bytes(_ column: String) throws(StoreError) -> [UInt8] {
        guard let bytes = try optionalBytes(column) else { throw Self.unreadable(column) }
        return bytes
    }

    /// The bytes of a column that may be NULL.
    func optionalBytes(_ column: String) throws(StoreError) -> [UInt8]? {
        let value: DatabaseValue? = self[column]
        switch value?.storage {
        case nil, .null: return nil
        case .blob(let data): return Array(data)
        case .int64, .double, .string: throw Self.unreadable(column)
        }
    }

    /// A column's value read by `read`; an error where that gives `nil`.
    func read<Stored: DatabaseValueConvertible, Value>(
        _ column: String,
        _ read: (Stored) -> Value?
    ) throws(StoreError) -> Value {
        guard let value = read(try value(column)) else { throw Self.unreadable(column) }
        return value
    }

    static func unreadable(_ column: String) -> StoreError {
        StoreError(
            .damaged,
            expected: "a value that this version reads",
            found: "another one in the column \(column)"
        )
    }
}

extension [UInt8] {
    /// The bytes as SQLite takes them.
    var blob: DatabaseValue { Data(self).databaseValue }
}
