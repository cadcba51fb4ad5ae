import DNSSD
import GatewayProtocol
import Testing

@testable import Pairing

/// Stores of two devices beside one table: what waits, what comes, and what is never taken.
@Suite struct CloudStoreTests {
    private static let user = "3e0c5b6a-0000-4000-8000-000000000001"
    private static let project = CloudProject(url: "https://abc.example", key: "sb_publishable_x")

    private static func account(sealsNames: Bool) throws -> CloudAccount {
        CloudAccount(project: try #require(project), user: user, email: "me@example.org", sealsNames: sealsNames)
    }

    /// A device with its store, and the table as it has left it.
    private struct Device {
        let store: PairingStore
        let owner: CloudOwner
        let vault: VaultKey

        init(_ folder: StoreFolder, _ name: String, _ vault: VaultKey) throws {
            store = try folder.open()
            owner = CloudOwner(user: CloudStoreTests.user, device: name)
            self.vault = vault
            try store.signIn(try CloudStoreTests.account(sealsNames: false), token: Secret("refresh-1"))
        }

        func waiting() throws -> Int { try store.noteForCloud(owner, vault, ahead: 0).waiting }

        /// Sends what waits into a table, by the order of versions.
        func push(_ table: inout [CloudRow.Key: CloudRow]) throws {
            _ = try waiting()
            let rows = try store.cloudRowsToSend(owner, vault, atMost: 100)
            for row in rows where table[row.key].map({ row.isNewer(than: $0) }) ?? true { table[row.key] = row }
            try store.confirmCloudRows(rows)
        }

        @discardableResult
        func pull(_ rows: some Collection<CloudRow>) throws -> CloudArrivals {
            try store.takeFromCloud(Array(rows), owner, vault, marker: 1, at: 1_000, ahead: 0)
        }
    }

    private static func optaplus() throws -> StoredPairing {
        var pairing = try StoredPairing.sample()
        pairing.dialect = .optaplus
        return pairing
    }

    private static func with(_ body: (Device, Device) throws -> Void) async throws {
        try await StoreFolder.with { first in
            try await StoreFolder.with { second in
                let vault = VaultKey()
                try body(try Device(first, "a", vault), try Device(second, "b", vault))
            }
        }
    }

    /// Both devices have the same tokens, and neither finds a change in what it has just got: nothing goes round in circles.
    @Test func aPairingArrivesOnceAndStays() async throws {
        try await Self.with { one, other in
            var table: [CloudRow.Key: CloudRow] = [:]
            let pairing = try Self.optaplus()
            try one.store.insert(pairing, secrets: pairing.sampleSecrets)
            #expect(try one.waiting() == 2)
            try one.push(&table)
            #expect(try one.waiting() == 0)
            #expect(try other.pull(table.values).came.sorted() == ["Friday", "Jarvis"])
            let taken = try #require(try other.store.pairing(pairing.id))
            #expect(taken.trust == pairing.trust && Set(taken.bots) == Set(pairing.bots))
            for (id, secret) in pairing.sampleSecrets {
                #expect(try other.store.secret(of: id, in: taken.id) == secret)
            }
            #expect(try other.waiting() == 0)
            #expect(try other.pull(table.values).isEmpty)
            #expect(try one.pull(table.values).isEmpty && one.waiting() == 0)
        }
    }

    /// When a gateway was connected last is sent at most once an hour, whatever else is; and nobody sends back what has come.
    @Test func connectionsAreToldByTheHour() async throws {
        try await Self.with { one, other in
            var table: [CloudRow.Key: CloudRow] = [:]
            let pairing = try Self.optaplus()
            try one.store.insert(pairing, secrets: pairing.sampleSecrets)
            let gateway = try #require(pairing.cloudKey)
            func work(_ device: Device) throws -> CloudWork {
                try device.store.noteForCloud(device.owner, device.vault, ahead: 0)
            }
            try one.push(&table)
            #expect(table.values.allSatisfy { $0.lastConnected == 2_000_000 })
            try other.pull(table.values)
            for device in [one, other] { #expect(try work(device).isEmpty) }
            try one.store.noteConnected([pairing.id: ConnectionNote(time: 3_601_999, endpoint: nil)])
            #expect(try work(one).isEmpty)
            // Neither does it go along with something else.
            try one.store.update(pairing.id) { $0.name = "Attic" }
            try one.push(&table)
            #expect(table.values.allSatisfy { $0.lastConnected == 2_000_000 })
            try one.store.noteConnected([pairing.id: ConnectionNote(time: 3_602_000, endpoint: nil)])
            #expect(try work(one) == CloudWork(connected: [gateway: 3_602_000]))
            try one.store.confirmCloudConnection(gateway, at: 3_602_000)
            #expect(try work(one).isEmpty)
        }
    }

    /// A name goes there and back, also over one that the other device has given, and ends there.
    @Test func namesFollowTheLast() async throws {
        try await Self.with { one, other in
            var table: [CloudRow.Key: CloudRow] = [:]
            let pairing = try Self.optaplus()
            try one.store.insert(pairing, secrets: pairing.sampleSecrets)
            try one.push(&table)
            try other.pull(table.values)
            func name(_ device: Device, _ name: String) throws {
                try device.store.setAlias(
                    GatewayAlias(gatewayID: pairing.gatewayID, fingerprint: pairing.fingerprint, leaf: nil, name: name)
                )
            }
            for (device, peer, text) in [(one, other, "Attic"), (other, one, "Cellar"), (one, other, "Roof")] {
                try name(device, text)
                try device.push(&table)
                try peer.pull(table.values)
                #expect(try peer.store.pairing(pairing.id)?.name == text)
                #expect(try peer.waiting() == 0 && device.waiting() == 0)
            }
        }
    }

    /// What was unpaired goes to the bin of the other device, and the gateway is not told a second time. Pairing again wins.
    @Test func anEndArrives() async throws {
        try await Self.with { one, other in
            var table: [CloudRow.Key: CloudRow] = [:]
            let pairing = try Self.optaplus()
            try one.store.insert(pairing, secrets: pairing.sampleSecrets)
            try one.push(&table)
            try other.pull(table.values)
            try one.store.moveToBin(pairing.id, reason: .unpaired(withdrawnThere: true), at: 5)
            try one.push(&table)
            #expect(table.values.allSatisfy { !$0.isActive && $0.sealed.isEmpty && $0.botName == nil })
            #expect(try other.pull(table.values).ended == ["Home"])
            #expect(try other.store.pairings().isEmpty)
            #expect(try other.store.bin().allSatisfy { $0.reason == .forgotten })
            #expect(try other.waiting() == 0)
            var again = try Self.optaplus()
            again.credentials = again.credentials.map { credential in
                var new = credential
                new.createdAt = 1
                return new
            }
            try other.store.insert(again, secrets: again.sampleSecrets)
            try other.push(&table)
            try one.pull(table.values)
            #expect(try one.store.pairings().map(\.id) == [again.id])
        }
    }

    /// What a server withholds stays here; what it has ended by itself, which it can, comes back from the bin, and to the cloud.
    @Test func whatAServerEndsComesBack() async throws {
        try await Self.with { one, _ in
            var table: [CloudRow.Key: CloudRow] = [:]
            let pairing = try Self.optaplus()
            try one.store.insert(pairing, secrets: pairing.sampleSecrets)
            try one.push(&table)
            try one.pull([])
            #expect(try one.store.pairings() == [pairing])
            let ends = table.values.map { row in
                var end = CloudRow(key: row.key, device: "", pairedAt: row.version.ended.pairedAt)
                end.isActive = false
                return end
            }
            #expect(try one.pull(ends).ended == ["Home"] && one.store.pairings().isEmpty)
            try one.store.restore(pairing.id)
            #expect(try one.waiting() == 2)
            for (id, secret) in pairing.sampleSecrets {
                #expect(try one.store.secret(of: id, in: pairing.id) == secret)
            }
        }
    }

    /// One token for two bots is in the row of each, and stays one; what ends for one bot goes on for the other.
    @Test func aTokenOfSeveralBotsStaysOne() async throws {
        try await Self.with { one, other in
            var table: [CloudRow.Key: CloudRow] = [:]
            var pairing = try Self.optaplus()
            pairing.credentials = Array(pairing.credentials.prefix(1))
            pairing.credentials[0].bots = pairing.bots.map(\.id)
            try one.store.insert(pairing, secrets: pairing.sampleSecrets)
            try one.push(&table)
            try other.pull(table.values)
            let credential = pairing.credentials[0].id
            let taken = try #require(try other.store.pairing(pairing.id))
            #expect(taken.credentials.map { Set($0.bots) } == [Set(pairing.bots.map(\.id))])
            #expect(try other.store.secret(of: credential, in: taken.id) == pairing.sampleSecrets[credential])
            #expect(try other.waiting() == 0)
            let first = try #require(table.values.first { $0.key.bot == "bot-1" })
            let end = first.version.ended
            var gone = CloudRow(key: first.key, device: end.device, pairedAt: end.pairedAt)
            gone.isActive = false
            try other.pull([gone])
            let rest = try #require(try other.store.pairing(pairing.id))
            #expect(rest.bots.map(\.id.text) == ["bot-2"] && rest.credentials.map(\.bots) == [rest.bots.map(\.id)])
            #expect(try other.store.secret(of: credential, in: rest.id) == pairing.sampleSecrets[credential])
            #expect(try other.waiting() == 0)
        }
    }

    /// A newer token is the one that counts for its bots, also where the clock of the device that has received it is behind. The
    /// older one, which opens several bots, goes to the bin as soon as it opens none any more.
    @Test func aTokenOfASlowClockReplacesAnother() async throws {
        try await Self.with { one, other in
            var table: [CloudRow.Key: CloudRow] = [:]
            func paired(at time: Int) throws -> StoredPairing {
                var pairing = try Self.optaplus()
                pairing.credentials = Array(pairing.credentials.prefix(1))
                pairing.credentials[0].bots = pairing.bots.map(\.id)
                pairing.credentials[0].createdAt = time
                return pairing
            }
            let (first, second) = (try paired(at: 9_000), try paired(at: 5_000))
            try one.store.insert(first, secrets: first.sampleSecrets)
            try one.push(&table)
            try other.pull(table.values)
            // It is paired with again there, by a clock that is behind.
            try other.store.insert(second, secrets: second.sampleSecrets)
            try other.store.moveToBin(first.id, reason: .forgotten, at: 1)
            try other.push(&table)
            try one.pull(table.values)
            let here = try #require(try one.store.pairing(first.id))
            #expect(here.credentials.map(\.id) == second.credentials.map(\.id))
            #expect(Set(here.credentials[0].bots) == Set(here.bots.map(\.id)))
            #expect(try one.store.bin().flatMap(\.pairing.credentials).map(\.id) == first.credentials.map(\.id))
            #expect(try one.waiting() == 0)
        }
    }

    /// What comes back for one bot brings no other one back.
    @Test func oneBotComesBackAlone() async throws {
        try await Self.with { one, other in
            var table: [CloudRow.Key: CloudRow] = [:]
            var pairing = try Self.optaplus()
            pairing.credentials = Array(pairing.credentials.prefix(1))
            pairing.credentials[0].bots = pairing.bots.map(\.id)
            try one.store.insert(pairing, secrets: pairing.sampleSecrets)
            try one.push(&table)
            try other.pull(table.values)
            try one.store.moveToBin(pairing.id, reason: .forgotten, at: 5)
            try one.push(&table)
            try other.pull(table.values)
            try one.store.restore(pairing.id)
            try one.push(&table)
            try other.pull(table.values.filter { $0.key.bot == "bot-1" })
            let back = try #require(try other.store.pairing(pairing.id))
            #expect(back.bots.map(\.id.text) == ["bot-1"] && back.credentials.map(\.bots) == [back.bots.map(\.id)])
            #expect(try other.waiting() == 0)
            try other.pull(table.values)
            #expect(try Set(other.store.pairing(pairing.id)?.bots.map(\.id.text) ?? []) == ["bot-1", "bot-2"])
            #expect(try other.waiting() == 0)
        }
    }

    /// Tokens that are bound to a device stay: the other one knows the gateway with its places, and its own pairing is not ended
    /// by the first's.
    @Test func boundPairingsAreKnown() async throws {
        try await Self.with { one, other in
            var table: [CloudRow.Key: CloudRow] = [:]
            let pairing = try StoredPairing.sample()
            try one.store.insert(pairing, secrets: pairing.sampleSecrets)
            try one.push(&table)
            #expect(try other.pull(table.values).known.sorted() == ["Friday", "Jarvis"])
            let known = try #require(try other.store.pairing(pairing.id))
            #expect(known.isToBePairedHere && known.trust == pairing.trust && known.endpoints == pairing.endpoints)
            #expect(Set(known.bots) == Set(pairing.bots))
            #expect(try other.waiting() == 0)
            #expect(try other.pull(table.values).isEmpty)
            // As the coordinator does it.
            let own = try StoredPairing.sample()
            try other.store.insert(own, secrets: own.sampleSecrets)
            try other.store.moveToBin(known.id, reason: .forgotten, at: 4)
            try other.push(&table)
            try one.pull(table.values)
            #expect(try one.store.pairings().map(\.id) == [pairing.id])
            try one.store.moveToBin(pairing.id, reason: .forgotten, at: 5)
            try one.push(&table)
            try other.pull(table.values)
            #expect(try other.store.pairings().map(\.id) == [own.id])
            // It is told again that this one goes on.
            #expect(try other.waiting() == 2)
        }
    }

    /// What is only known ends with the pairing that it is known by, and does not come back once the user has forgotten it.
    @Test func whatIsKnownEnds() async throws {
        try await Self.with { one, other in
            var table: [CloudRow.Key: CloudRow] = [:]
            let pairing = try StoredPairing.sample()
            try one.store.insert(pairing, secrets: pairing.sampleSecrets)
            try one.push(&table)
            try other.pull(table.values)
            try other.store.moveToBin(pairing.id, reason: .forgotten, at: 4)
            try other.push(&table)
            try one.pull(table.values)
            #expect(try one.store.pairings().map(\.id) == [pairing.id])
            try one.push(&table)
            #expect(table.values.allSatisfy { $0.isActive })
            try other.pull(table.values)
            #expect(try other.store.pairings().isEmpty && other.waiting() == 0)
            try other.store.restore(pairing.id)
            try other.push(&table)
            try one.pull(table.values)
            try one.store.moveToBin(pairing.id, reason: .forgotten, at: 6)
            try one.push(&table)
            #expect(try other.pull(table.values).ended == ["Home"])
            #expect(try other.store.pairings().isEmpty)
        }
    }

    /// A row of another key, a changed one and one from the far future are told of, and nothing is taken from them.
    @Test func whatDoesNotOpenIsTold() async throws {
        try await Self.with { one, other in
            var table: [CloudRow.Key: CloudRow] = [:]
            let pairing = try Self.optaplus()
            try one.store.insert(pairing, secrets: pairing.sampleSecrets)
            try one.push(&table)
            for (note, change) in [
                (
                    CloudEntryRow.Note.foreignKey,
                    { (row: inout CloudRow) in row.sealed = try VaultKey().sealedForTest(row) }
                ),
                (.broken, { $0.sealed = "AA==" }),
                (
                    .broken,
                    { row in
                        var later = CloudRow(key: row.key, device: row.device, pairedAt: 1 << 60)
                        later.sealed = row.sealed
                        row = later
                    }
                ),
            ] as [(CloudEntryRow.Note, (inout CloudRow) throws -> Void)] {
                var row = try #require(table.values.first)
                try change(&row)
                #expect(try other.pull([row]).isEmpty)
                #expect(try other.store.cloudEntries().map(\.note) == [note])
                #expect(try other.store.pairings().isEmpty && other.waiting() == 0)
            }
            // The right one is taken after all.
            #expect(try other.pull(table.values).came.count == 2)
        }
    }

    /// Ten thousand rows of a server that makes them up, or has them of other keys and times: nothing is taken from them or lost
    /// for them, each is told of, and nothing is sent to it that it did not have.
    @Test func tenThousandRowsAreToldOf() async throws {
        try await Self.with { one, _ in
            var table: [CloudRow.Key: CloudRow] = [:]
            let pairing = try Self.optaplus()
            try one.store.insert(pairing, secrets: pairing.sampleSecrets)
            try one.push(&table)
            let real = try #require(table.values.first)
            let foreign = try VaultKey().sealedForTest(real)
            var rows = (0..<9_999).map { number -> CloudRow in
                let key = CloudRow.Key(user: Self.user, bot: "bot-\(number + 10)", gateway: real.key.gateway)
                var row = CloudRow(key: key, device: real.device, pairedAt: real.pairedAt)
                row.sealed = [real.sealed, foreign, "AA==", ""][number % 4]
                row.isActive = number % 4 < 3
                return row
            }
            // One that was there before, and an end of what nobody has.
            var older = CloudRow(key: real.key, device: real.device, pairedAt: real.pairedAt - 1)
            older.sealed = real.sealed
            rows.append(older)
            #expect(try one.pull(rows).isEmpty)
            #expect(try one.store.pairings() == [pairing] && one.store.bin().isEmpty)
            let notes = try one.store.cloudEntries().compactMap(\.note)
            let counts = Dictionary(grouping: notes) { $0 }.mapValues(\.count)
            #expect(counts == [.foreignKey: 2_500, .broken: 5_000, .rolledBack: 1])
            // It is told again what it had.
            let waiting = try one.store.cloudEntries().filter(\.entry.isWaiting)
            #expect(waiting.map { $0.key(of: Self.user) } == [real.key])
            try one.push(&table)
            #expect(try one.waiting() == 0)
        }
    }

    /// What a server makes up does not fill this device's disk, however often it is asked.
    @Test func rowsAreBoundedInNumber() async throws {
        try await Self.with { one, _ in
            let rows = (0...CloudOutbox.mostRows).map { number in
                let key = CloudRow.Key(user: Self.user, bot: "\(number)", gateway: "g")
                return CloudRow(key: key, device: "d", pairedAt: 1)
            }
            let (some, all) = (try one.pull(rows.prefix(2)), try one.pull(rows))
            let noted = try one.store.cloudEntries().count
            #expect(some.leftOut == 0 && all.leftOut == 1 && noted == CloudOutbox.mostRows)
            // What is known already is read as ever.
            let again = try one.pull(rows.prefix(2))
            #expect(again.leftOut == 0)
        }
    }

    /// The token of the session opens for its project and user alone, and nothing of it is in the file.
    @Test func theSessionIsSealed() async throws {
        try await StoreFolder.with { folder in
            let device = try Device(folder, "a", VaultKey())
            let account = try #require(try device.store.cloudAccount())
            #expect(try device.store.cloudToken() == Secret("refresh-1"))
            #expect(try device.store.replaceCloudToken(Secret("refresh-2"), of: account))
            #expect(try device.store.cloudToken() == Secret("refresh-2"))
            for (name, bytes) in try folder.content() {
                #expect(!String(decoding: bytes, as: UTF8.self).contains("refresh-"), "\(name)")
            }
            try device.store.endCloudSession(because: "x")
            #expect(try device.store.cloudToken() == nil)
            #expect(try !device.store.replaceCloudToken(Secret("refresh-3"), of: account))
            #expect(try device.store.cloudAccount()?.isTrouble == true)
        }
    }

    /// Signing out takes the vault key in one step, and an end that the server has made leaves it.
    @Test func theKeyGoesWithTheUser() async throws {
        try await StoreFolder.with { folder in
            let device = try Device(folder, "a", VaultKey())
            try device.store.keepVaultKey(device.vault)
            try device.store.endCloudSession(because: "it was revoked")
            #expect(try device.store.vaultKey() == device.vault)
            try device.store.endCloudSession()
            #expect(try device.store.vaultKey() == nil)
        }
    }

    /// A time of the server's far future hides nothing that comes later.
    @Test func aMarkerIsNotOfTheFuture() async throws {
        try await Self.with { one, _ in
            _ = try one.store.takeFromCloud([], one.owner, one.vault, marker: 1 << 60, at: 1_000, ahead: 400)
            #expect(try one.store.cloudAccount()?.marker == 600_000)
        }
    }

    /// A file may have brought a token of any time: it is sent as one that the table can have.
    @Test(arguments: [Int.min, -1, .max]) func anyTimeIsSent(time: Int) async throws {
        try await Self.with { one, _ in
            var pairing = try Self.optaplus()
            for index in pairing.credentials.indices { pairing.credentials[index].createdAt = time }
            pairing.lastConnected = time
            try one.store.insert(pairing, secrets: pairing.sampleSecrets)
            #expect(try one.store.noteForCloud(one.owner, one.vault, ahead: 3_600_000).waiting == 2)
            let rows = try one.store.cloudRowsToSend(one.owner, one.vault, atMost: 9)
            #expect(rows.allSatisfy { CloudTime.read(CloudTime.text($0.pairedAt)) == $0.pairedAt })
            try one.store.confirmCloudRows(rows)
            #expect(try one.store.noteForCloud(one.owner, one.vault, ahead: 0).isEmpty)
        }
    }

    /// Names that one device seals are sealed by all others as well, without a pairing being lost: what was in clear ends.
    @Test func namesAreSealedByAll() async throws {
        try await Self.with { one, other in
            var table: [CloudRow.Key: CloudRow] = [:]
            let pairing = try Self.optaplus()
            try one.store.insert(pairing, secrets: pairing.sampleSecrets)
            try one.push(&table)
            try other.pull(table.values)
            try other.store.signIn(try Self.account(sealsNames: true), token: Secret("refresh-2"))
            // What is sealed goes first, so that no device sees only that the rest has ended.
            _ = try other.waiting()
            let rows = try other.store.cloudRowsToSend(other.owner, other.vault, atMost: 100)
            #expect(rows.map(\.isActive) == [true, true, false, false])
            try other.push(&table)
            let active = table.values.filter(\.isActive)
            #expect(active.allSatisfy { $0.key.gateway.hasPrefix("sealed:") && $0.host == nil })
            try one.pull(table.values.sorted { $0.isActive && !$1.isActive })
            #expect(try one.store.cloudAccount()?.sealsNames == true)
            #expect(try one.store.pairings().map(\.id) == [pairing.id] && one.store.bin().isEmpty)
            try one.push(&table)
            #expect(table.values.filter(\.isActive).count == 2)
            try other.pull(table.values)
            #expect(try one.waiting() == 0 && other.waiting() == 0)
            // An end arrives, whoever has written the row.
            try one.store.moveToBin(pairing.id, reason: .forgotten, at: 5)
            try one.push(&table)
            try other.pull(table.values)
            #expect(try other.store.pairings().isEmpty && table.values.allSatisfy { !$0.isActive })
            // Signing in anew without the option leaves them sealed.
            try one.store.signIn(try Self.account(sealsNames: false), token: Secret("refresh-3"))
            #expect(try one.store.cloudAccount()?.sealsNames == true)
        }
    }

    /// A device that seals names ends what others have left in clear, once it has it.
    @Test func whatIsInClearEnds() async throws {
        try await Self.with { one, other in
            var table: [CloudRow.Key: CloudRow] = [:]
            let pairing = try Self.optaplus()
            try one.store.insert(pairing, secrets: pairing.sampleSecrets)
            try one.push(&table)
            try other.store.signIn(try Self.account(sealsNames: true), token: Secret("refresh-2"))
            try other.pull(table.values)
            try other.push(&table)
            #expect(table.values.filter(\.isActive).count == 2)
            #expect(table.values.allSatisfy { $0.isActive == $0.key.gateway.hasPrefix("sealed:") })
            #expect(try other.store.pairings().map(\.id) == [pairing.id])
        }
    }

    /// Another user's rows are none of this one's.
    @Test func anotherAccountBeginsAnew() async throws {
        try await StoreFolder.with { folder in
            let device = try Device(folder, "a", VaultKey())
            let pairing = try Self.optaplus()
            try device.store.insert(pairing, secrets: pairing.sampleSecrets)
            var table: [CloudRow.Key: CloudRow] = [:]
            try device.push(&table)
            let account = CloudAccount(
                project: try #require(Self.project),
                user: "3e0c5b6a-0000-4000-8000-000000000002",
                email: "other@example.org",
                sealsNames: false
            )
            try device.store.signIn(account, token: Secret("x"))
            #expect(try device.store.cloudEntries().isEmpty)
        }
    }
}

extension VaultKey {
    fileprivate func sealedForTest(_ row: CloudRow) throws -> String {
        try seal(CarriedPairing(StoredPairing.sample(), secrets: [:]), for: row)
    }
}
