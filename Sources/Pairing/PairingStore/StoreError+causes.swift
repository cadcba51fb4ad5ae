internal import DNSSD
internal import GRDB
internal import HostSystem
internal import SystemPackage

extension StoreError {
    /// Creates the error for a problem with a file or folder.
    init(_ error: SafeFileError) {
        let code: ErrorCode<StoreError> =
            switch error.code {
            case .symbolicLink, .notRegular, .notFolder, .otherOwner, .openToOthers: .unsafeLocation
            case .noSpace: .noSpace
            case .readOnly: .readOnly
            case .forbidden: .forbidden
            case .inputOutput, .notDurable: .inputOutput
            default: .system
            }
        self.init(code, path: error.path.string, expected: error.expected, found: error.found)
    }

    /// Creates the error for one that SQLite has reported.
    init(_ error: DatabaseError, path: String) {
        let (code, found): (ErrorCode<StoreError>, String) =
            switch error.resultCode {
            case .SQLITE_FULL: (.noSpace, "a full disk. Make room, and try again")
            case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_DBMOVED:
                (.replaced, "one that was moved or removed since it was opened. Open the store again")
            case .SQLITE_READONLY: (.readOnly, "a file or file system that cannot be written to")
            case .SQLITE_PERM, .SQLITE_AUTH: (.forbidden, "permission denied")
            case .SQLITE_CANTOPEN: (.forbidden, "one that cannot be opened. See the permissions of its folder")
            case .SQLITE_IOERR: (.inputOutput, "a disk that fails (SQLite's code \(error.extendedResultCode.rawValue))")
            case .SQLITE_CORRUPT, .SQLITE_NOTADB:
                (.damaged, "a file that is damaged. Open the store again: it is set aside then, and not deleted")
            case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
                (.busy, "another process that has kept it for \(StoreDatabase.busyTimeoutInSeconds) s. Try again")
            // The message names a table or a statement, and contains no values.
            default: (.system, "\(error.message ?? "SQLite's code \(error.extendedResultCode.rawValue)")")
            }
        self.init(code, path: path, expected: "a database that can be read and written", found: found)
    }

    /// Calls `body`, and converts whatever it throws into a ``StoreError``.
    static func translating<Result>(_ path: String, _ body: () throws -> Result) throws(StoreError) -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw error.code == .unreadable || error.code == .tampered ? error.at(path) : error
        } catch let error as SafeFileError {
            throw StoreError(error)
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        } catch is RowDecodingError {
            let expected = "a database with values that this version reads"
            throw StoreError(.unreadable, path: path, expected: expected, found: "others. It is kept as it is")
        } catch {
            throw StoreError(.system, path: path, expected: "a store that answers", found: "\(type(of: error))")
        }
    }

    /// Calls `body`; returns `nil` if it meets a row that this version cannot decode.
    static func ifDecodable<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as StoreError where error.code == .unreadable {
            return nil
        }
    }

    /// Returns the error for an identifier that no pairing has.
    static func noPairing(_ id: PairingID) -> StoreError {
        StoreError(.notFound, expected: "a pairing that is in the store", found: "none with the identifier \(id)")
    }

    /// Returns the error for an identifier that no credential of the pairing has.
    static func noCredential(_ id: CredentialID) -> StoreError {
        StoreError(.notFound, expected: "a credential of that pairing", found: "none with the identifier \(id)")
    }
}
