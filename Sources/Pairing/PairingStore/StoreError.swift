public import DNSSD

/// The reason why the store was not opened, or did not do what it was asked for.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of trouble.
    public let code: ErrorCode<StoreError>

    /// The path of the file or folder that caused the error, if one did.
    public let path: String?

    /// A description of what was expected.
    public let expected: String

    /// A description of what was found, and what to do where that is known. Quotes no secret.
    public let found: String

    /// The process that has the credential, for `locked`; `nil` where it is not known.
    package let holder: LockHolder?

    /// The column of the value, for `unreadable`.
    let column: String?

    package init(
        _ code: ErrorCode<StoreError>,
        path: String? = nil,
        expected: String,
        found: String,
        holder: LockHolder? = nil,
        column: String? = nil
    ) {
        self.column = column
        self.code = code
        self.path = path
        self.expected = expected
        self.found = found
        self.holder = holder
    }

    /// Returns this error with the path of the database, if it has none.
    func at(_ path: String) -> StoreError {
        guard self.path == nil else { return self }
        return StoreError(code, path: path, expected: expected, found: found, holder: holder, column: column)
    }

    /// A sentence about the key of a store, for people.
    package var keySentence: String { code == .moved ? description : "the secrets are sealed: \(description)" }

    public var description: String { "\(path.map { "\($0): " } ?? "")expected \(expected), found: \(found)." }
}

/// The codes of the errors.
extension ErrorCode<StoreError> {
    /// The environment names no place for the store or its key.
    public static var noLocation: Self { Self() }

    /// A file or folder is a symbolic link, belongs to another user, or is open to others, so it is not used for
    /// secrets.
    public static var unsafeLocation: Self { Self() }

    /// A later version of this library wrote the store, which is left unchanged.
    public static var newerVersion: Self { Self() }

    /// The file is not a database, or is damaged. The next opening of the store moves it out of the way.
    public static var damaged: Self { Self() }

    /// SQLite takes the database for whole, but a value in it is none that this version can decode. It stays as it
    /// is.
    public static var unreadable: Self { Self() }

    /// The file was moved or removed while it was open: open the store again.
    public static var replaced: Self { Self() }

    /// The key that opens the secrets is missing or not readable. No new one is made.
    public static var sealed: Self { Self() }

    /// There is a key, but not the one that the secrets were sealed with.
    public static var wrongKey: Self { Self() }

    /// A sealed secret was changed, or is in another place than the one that it was sealed for.
    public static var tampered: Self { Self() }

    /// The identity of this device was taken to another one: this one connects no more.
    public static var moved: Self { Self() }

    /// Another session has this credential; the error names its process where it is known.
    public static var locked: Self { Self() }

    /// Another process has kept the store busy for too long.
    public static var busy: Self { Self() }

    /// There is no such pairing or credential.
    public static var notFound: Self { Self() }

    /// There is already a pairing or credential with that identifier.
    public static var exists: Self { Self() }

    /// The secret that was meant has been replaced by another one.
    public static var outdated: Self { Self() }

    /// A value exceeds ``StoreLimits``, or does not fit the others.
    public static var invalid: Self { Self() }

    /// The disk or the user's share of it is full.
    public static var noSpace: Self { Self() }

    /// The file system or file cannot be written to. What is stored can be read.
    public static var readOnly: Self { Self() }

    /// This user lacks the permission.
    public static var forbidden: Self { Self() }

    /// The disk failed.
    public static var inputOutput: Self { Self() }

    /// Another failure of the system or of SQLite.
    public static var system: Self { Self() }

    /// The task was cancelled while it waited for the store.
    public static var cancelled: Self { Self() }
}
