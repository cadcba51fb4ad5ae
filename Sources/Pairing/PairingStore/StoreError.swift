/// The reason why the store was not opened, or did not do what it was asked for.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble with the store. More may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case noLocation, unsafeLocation, newerVersion, damaged, unreadable, replaced
            case sealed, wrongKey, tampered, moved
            case locked, busy
            case notFound, exists, outdated, invalid
            case noSpace, readOnly, forbidden, inputOutput, system, cancelled
        }

        private let wrapped: Wrapped

        /// The name of the code, which stays the same from version to version: for logs.
        public var description: String { wrapped.rawValue }

        /// The environment names no place for the store or its key.
        public static let noLocation = Code(wrapped: .noLocation)
        /// A file or folder is a symbolic link, belongs to another user, or is open to others, so it is not used for
        /// secrets.
        public static let unsafeLocation = Code(wrapped: .unsafeLocation)
        /// A later version of this library wrote the store, which is left unchanged.
        public static let newerVersion = Code(wrapped: .newerVersion)
        /// The file is not a database, or is damaged. The next opening of the store moves it out of the way.
        public static let damaged = Code(wrapped: .damaged)
        /// SQLite takes the database for whole, but a value in it is none that this version can decode. It stays as it
        /// is.
        public static let unreadable = Code(wrapped: .unreadable)
        /// The file was moved or removed while it was open: open the store again.
        public static let replaced = Code(wrapped: .replaced)

        /// The key that opens the secrets is missing or not readable. No new one is made.
        public static let sealed = Code(wrapped: .sealed)
        /// There is a key, but not the one that the secrets were sealed with.
        public static let wrongKey = Code(wrapped: .wrongKey)
        /// A sealed secret was changed, or is in another place than the one that it was sealed for.
        public static let tampered = Code(wrapped: .tampered)

        /// The identity of this device was taken to another one: this one connects no more.
        public static let moved = Code(wrapped: .moved)

        /// Another session has this credential; see ``StoreError/holder``.
        public static let locked = Code(wrapped: .locked)
        /// Another process has kept the store busy for too long.
        public static let busy = Code(wrapped: .busy)

        /// There is no such pairing or credential.
        public static let notFound = Code(wrapped: .notFound)
        /// There is already a pairing or credential with that identifier.
        public static let exists = Code(wrapped: .exists)
        /// The secret that was meant has been replaced by another one.
        public static let outdated = Code(wrapped: .outdated)
        /// A value exceeds ``StoreLimits``, or does not fit the others.
        public static let invalid = Code(wrapped: .invalid)

        /// The disk or the user's share of it is full.
        public static let noSpace = Code(wrapped: .noSpace)
        /// The file system or file cannot be written to. What is stored can be read.
        public static let readOnly = Code(wrapped: .readOnly)
        /// This user lacks the permission.
        public static let forbidden = Code(wrapped: .forbidden)
        /// The disk failed.
        public static let inputOutput = Code(wrapped: .inputOutput)
        /// Another failure of the system or of SQLite.
        public static let system = Code(wrapped: .system)
        /// The task was cancelled while it waited for the store.
        public static let cancelled = Code(wrapped: .cancelled)
    }

    /// The kind of trouble.
    public let code: Code

    /// The path of the file or folder that caused the error, if one did.
    public let path: String?

    /// A description of what was expected.
    public let expected: String

    /// A description of what was found, and what to do where that is known. Quotes no secret.
    public let found: String

    /// The process that has the credential, for ``Code/locked``; `nil` where it is not known.
    public let holder: LockHolder?

    /// The column of the value, for ``Code/unreadable``.
    let column: String?

    package init(
        _ code: Code,
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
