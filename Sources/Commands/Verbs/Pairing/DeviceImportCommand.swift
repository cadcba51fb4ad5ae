internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import HostSystem
internal import Pairing
internal import Reports
internal import SystemPackage

/// `clawradar device import`: takes in what another device has written.
struct DeviceImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Takes in the file of another device, once you have seen what would come.",
        usage: "clawradar device import <file> [<options>]",
        discussion: """
            Shows what would become of each pairing, and asks. A pairing of this device that is newer stays, one that is \
            older goes to the bin, and what was unpaired here since stays so. What is trusted is what the other device \
            trusted. A file of `device move` brings the identity of that device, too, in place of this one's: so this \
            one must have no pairings that are bound to its own.

            EXAMPLES:
              clawradar device import ~/clawradar.age

            Exit status: 0; 64 if the command line is invalid, 69 if the file or the store cannot be used, 130 if it was \
            cancelled.
            """
    )

    @Argument(help: ArgumentHelp("The file of the other device.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var passphrase: PassphraseOption
    @OptionGroup var confirmation: ConfirmationOption

    func run() async throws {
        let found = try await read()
        let store = try StoreAccess.open()
        if let problem = store.keyProblem { throw CommandFailure(problem) }
        let plan = try CommandFailure.translating { () throws(StoreError) in try store.plan(found) }
        let name = DisplayText(found.deviceName, limit: 64).quoted
        Notes.note("\(found.kind) of \(name), \(TimeText.localDay(Timestamp(milliseconds: found.time))):")
        let lines = Self.lines(plan)
        if !lines.isEmpty { Notes.write(lines.map { "  \($0)\n" }.joined()) }
        let coming = plan.items.count { $0.comes }
        guard coming > 0 || found.identity != nil else { return Notes.note("nothing of it is new here.") }
        try await confirmation.confirm(Self.question(plan), [])
        try CommandFailure.translating { () throws(StoreError) in
            try store.take(plan, at: Timestamp.now.milliseconds)
        }
        Notes.note("pairings taken in: \(coming). `clawradar status` shows them.")
    }

    /// Returns a line for each pairing of a file: what would become of it here.
    static func lines(_ plan: DeviceImport) -> [String] {
        plan.items.map { item in
            let fate =
                switch item.verdict {
                case .isNew: item.carried.pairing.credentials.isEmpty ? "comes without a token: pair again" : "comes"
                case .replaces: "comes in place of an older one, which goes to the bin"
                case .isHere: "stays as it is here"
                case .wasUnpaired: "was unpaired here since, and stays so"
                }
            return "\(item.carried.pairing.label)  \(fate)"
        }
    }

    /// Returns the question before anything is done.
    static func question(_ plan: DeviceImport) -> String {
        let coming = plan.items.count { $0.comes }
        guard plan.file.identity != nil else { return "Take in \(coming) of \(plan.items.count)?" }
        return "Take in \(coming) of \(plan.items.count), and make this device that one?"
    }

    private func read() async throws(CommandFailure) -> DeviceFile {
        let shown = "\(DisplayText(file, limit: 256))"
        let bytes: [UInt8]?
        do throws(SafeFileError) {
            bytes = try SafeFile(path: FilePath(file)).readForeign(limit: DeviceFile.maximumBytes)?.bytes
        } catch {
            throw CommandFailure(.unavailable, error.description)
        }
        guard let bytes else { throw CommandFailure(.unavailable, "\(shown): expected a file, found none.") }
        let passphrase = try await passphrase.read()
        let content: Secret
        do throws(AgeFile.Problem) {
            content = try AgeFile.open(bytes, with: passphrase)
        } catch {
            throw CommandFailure(.unavailable, error.text(shown))
        }
        guard let found = DeviceFile(content) else {
            throw CommandFailure(
                .unavailable,
                "\(shown): expected what `clawradar device copy` or `device move` wrote, found something else, or of a "
                    + "later version."
            )
        }
        return found
    }
}

/// `clawradar device restore`: takes back a device that was moved.
struct DeviceRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Makes this device again the one that was moved to another.",
        usage: "clawradar device restore [<options>]",
        discussion: """
            It connects again. Do it only if the other device is gone, or never was: two devices with one identity end each \
            other's sessions.

            EXAMPLES:
              clawradar device restore

            Exit status: 0; 1 if this device was not moved, 64 if the command line is invalid, 69 if the store cannot be \
            used, 130 if it was cancelled.
            """
    )

    @OptionGroup var confirmation: ConfirmationOption

    func run() async throws {
        let store = try StoreAccess.open()
        let moved = try CommandFailure.translating { () throws(StoreError) in try store.movedAt() }
        guard let moved else { throw CommandFailure(.nothingFound, "this device was not moved.") }
        let day = TimeText.localDay(Timestamp(milliseconds: moved))
        try await confirmation.confirm("Is the other device gone, so that this one may connect?", ["moved \(day)"])
        try CommandFailure.translating { () throws(StoreError) in try store.noteMoved(at: nil) }
        Notes.note("this device connects again.")
    }
}
