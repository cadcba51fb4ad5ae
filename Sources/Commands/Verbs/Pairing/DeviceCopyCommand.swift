internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import HostSystem
internal import Pairing
internal import Reports
internal import SystemPackage

/// `clawradar device copy`: writes the pairings for a device beside this one.
struct DeviceCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Writes the pairings to a file, for a device beside this one.",
        usage: "clawradar device copy <file> [<options>]",
        discussion: """
            The file is one of age, sealed with a passphrase: `age -d` opens it, and so does `clawradar device import` on \
            the other device. Tokens that are bound to this device (of OpenClaw, Clawline and bridges) stay here: \
            these gateways are known there, to be paired with.

            EXAMPLES:
              clawradar device copy ~/clawradar.age

            Exit status: 0; 64 if the command line is invalid, 69 if the file or the store cannot be used, 130 if it was \
            cancelled.
            """
    )

    @Argument(help: ArgumentHelp("The file, which must not be there yet.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var passphrase: PassphraseOption

    func run() async throws {
        let (_, written) = try await DeviceFileWriting(path: file, kind: .copy).run(passphrase)
        let bound = written.pairings.count { $0.pairing.credentials.isEmpty }
        let rest = bound == 0 ? "" : ", \(bound) of them without a token"
        Notes.note("pairings copied: \(written.pairings.count)\(rest).")
        Notes.note("on the other device: clawradar device import FILE")
    }
}

/// `clawradar device move`: writes all of this device, which then connects no more.
struct DeviceMoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Writes this device to a file, for another one in its place. This one then connects no more.",
        usage: "clawradar device move <file> [<options>]",
        discussion: """
            The file has the identity of this device, which gateways know it by, and all its tokens. It is one of age, \
            sealed with a passphrase: `age -d` opens it, and so does `clawradar device import` on the other device, once. \
            Two devices with one identity would end each other's sessions: so this one is moved, and says so, until \
            `clawradar device restore`.

            EXAMPLES:
              clawradar device move ~/clawradar.age

            Exit status: 0; 64 if the command line is invalid, 69 if the file or the store cannot be used, 130 if it was \
            cancelled.
            """
    )

    @Argument(help: ArgumentHelp("The file, which must not be there yet.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var passphrase: PassphraseOption
    @OptionGroup var confirmation: ConfirmationOption

    func run() async throws {
        let writing = DeviceFileWriting(path: file, kind: .move)
        try await confirmation.confirm("Move this device, so that it connects no more?", [writing.shownPath])
        let (store, written) = try await writing.run(passphrase)
        // The file is on the disk by now: whatever ends this process before, the device is where it was.
        try CommandFailure.translating { () throws(StoreError) in
            try store.noteMoved(at: Timestamp.now.milliseconds)
        }
        Notes.note("pairings moved: \(written.pairings.count). This device connects no more: clawradar device restore")
        Notes.note("on the other device: clawradar device import FILE")
    }
}

/// The writing of a file with what a device takes to another one.
struct DeviceFileWriting {
    let path: String
    let kind: DeviceFile.Kind

    /// The path as it is shown.
    var shownPath: String { "\(DisplayText(path, limit: 256))" }

    /// Writes the file, which only its owner can read, durably.
    func run(_ option: PassphraseOption) async throws(CommandFailure) -> (PairingStore, DeviceFile) {
        let file = SafeFile(path: FilePath(path))
        try checkIsNew(file)
        let store = try StoreAccess.open()
        let kind = kind
        let written = try CommandFailure.translating { () throws(StoreError) in
            try store.deviceFile(kind, at: Timestamp.now.milliseconds)
        }
        let passphrase = try await option.choose()
        let sealed: [UInt8]
        do throws(AgeFile.Problem) {
            sealed = try AgeFile.seal(written.content, with: passphrase)
        } catch {
            throw CommandFailure(.unavailable, error.text(shownPath))
        }
        try checkIsNew(file)
        do throws(SafeFileError) {
            try file.write(sealed)
        } catch {
            throw CommandFailure(.unavailable, error.description)
        }
        return (store, written)
    }

    private func checkIsNew(_ file: SafeFile) throws(CommandFailure) {
        let isThere: Bool
        do throws(SafeFileError) {
            isThere = try file.checkUnopened()
        } catch {
            throw CommandFailure(.unavailable, error.description)
        }
        guard !isThere else {
            throw CommandFailure(.unavailable, "\(shownPath): expected no file yet, found one, which stays as it is.")
        }
    }
}

extension AgeFile.Problem {
    /// The problem as a message, with what to do.
    func text(_ path: String) -> String {
        switch self {
        case .isNoAgeFile:
            "\(path): expected a file of clawradar or age, found another one. One in letters (age --armor) is none."
        case .hasNoPassphrase:
            "\(path): expected a file for a passphrase, found one for keys. Open it with age -d first."
        case .demandsTooMuch(let factor):
            "\(path): expected a file that demands work of at most 2^20, found 2^\(factor == .max ? "…" : "\(factor)"). "
                + "Nothing was computed."
        case .isOtherPassphrase: "\(path): the passphrase is another one, or the file was changed."
        case .isDamaged: "\(path): expected a whole file, found one that was changed or cut off."
        case .lacksMemory: "\(path): the passphrase takes more memory than there is."
        }
    }
}
