import Foundation
import GatewayProtocol
import Glibc
import Testing

extension LabTests {
    /// What is secondary fails, and the user is told all the same: the disk of the history, and who reads the log.
    @Suite struct NoticeTroubleLabTests {
        /// A firewall of this host drops what comes in: its router has answered before, and does not now, so that no gateway is
        /// told of as gone. One that dies while the router answers is.
        @Test func aFirewallOfThisHostIsNoDeath() async throws {
            let stage = try await NoticeStage(.bare, lan: 11, name: "n11", port: 4_711)
            let router = try await LabHost.add("n11r", .bare, lan: 11)
            try await stage.device.host.ip("route add default via \(router.address) dev eth0")
            let knocks = "add table inet k; add chain inet k c { type filter hook input priority 0; }; "
            let counted = try await Lab.run(on: router.name, "nft", knocks + "add rule inet k c tcp dport 9 counter")
            try #require(counted.status == 0, "\(counted.errors)")
            let agent = try await stage.startAgent()
            // The router is asked once there is a gateway on its link, and answers at once.
            try await stage.wait("a question to the router") { _ in
                let shown = try await Lab.run(on: router.name, "nft", "list", "table", "inet", "k").output
                return shown.contains("counter") && !shown.contains("packets 0 ")
            }
            try await Task.sleep(for: .seconds(1))
            let rules = "add table inet t; add chain inet t c { type filter hook input priority 0; policy drop; }"
            var start = ContinuousClock.now
            let filter = try await Lab.run(on: stage.device.host.name, "nft", rules)
            try #require(filter.status == 0, "\(filter.errors)")
            let told = try await stage.next(["cut-off"], since: start)
            #expect(stage.messages.first?.message["reason"]?.string?.contains("eth0") == true)
            try await Task.sleep(for: .seconds(30))
            #expect(stage.messages.map(\.kind) == ["cut-off"])
            start = .now
            let open = try await Lab.run(on: stage.device.host.name, "nft", "delete", "table", "inet", "t")
            try #require(open.status == 0, "\(open.errors)")
            let back = try await stage.next(["cut-off", "reconnected"], since: start, within: .seconds(90))
            print("notices: a firewall of this host: told after \(told), over after \(back)")

            try await stage.wait("an answer") { try await $0.run(["scan"]).output.contains("answering") }
            try await Task.sleep(for: .seconds(20))
            start = .now
            try await stage.gateway.stop(SIGKILL)
            _ = try await stage.next(["cut-off", "reconnected", "gone"], since: start)
            try await agent.stop()
        }

        /// As the first process of a container, the agent takes note of the ends of what its sinks leave behind.
        @Test func whatSinksLeaveBehindIsReaped() async throws {
            let stage = try await NoticeStage(.bare, lan: 55, name: "n55", port: 4_755)
            let orphan = stage.folder.path("lab-orphan")
            try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: orphan)
            let command = "cat >>\(stage.inbox); \(orphan) 1 </dev/null >/dev/null 2>&1 &"
            try stage.configure(["name: file", "exec: [/bin/sh, -c, '\(command)']"])
            let agent = try Lab.start(
                on: stage.device.host.name,
                ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"] + stage.device.command(["agent"])
            )
            try await LabTests.AgentLabTests.waitForSocket("\(stage.folder.path("run"))/clawradar/agent.sock", agent)
            try await stage.wait("an answer") { try await $0.run(["scan"]).output.contains("answering") }
            let start = ContinuousClock.now
            try await stage.gateway.stop(SIGKILL)
            _ = try await stage.next(["gone"], since: start)
            // It ends after a second. Until somebody takes note of that, it has a name and no life.
            try await Task.sleep(for: .seconds(1))
            try await stage.wait("no process that has ended") { device in
                let states = try await Lab.run(
                    on: device.host.name,
                    ["sh", "-c", "cat /proc/[0-9]*/stat 2>/dev/null | grep '(lab-orphan)' || true"]
                )
                return states.output.isEmpty
            }
            // `unshare` ignores SIGTERM, and ends what it has started with it.
            try await agent.stop(SIGKILL)
        }

        /// A death and a return are told within ten seconds while nothing can be written, by an agent that ran before and by
        /// one that starts then; and the history has them once there is room again.
        @Test(arguments: [false, true]) func aFullDiskHoldsNothingUp(isFullAtStart: Bool) async throws {
            let lan = isFullAtStart ? 13 : 52
            let stage = try await NoticeStage(.bare, lan: lan, name: "n\(lan)", port: 4_700 + lan % 10)
            let (fill, full, empty) = (stage.folder.path("fill"), stage.folder.path("full"), stage.folder.path("empty"))
            let mounts = stage.device.folders.enumerated().map { index, folder in
                let copy = stage.folder.path("copy\(index)")
                return "cp -a '\(folder)' '\(copy)'; mount -t tmpfs -o size=2m,mode=700 tmpfs '\(folder)'; "
                    + "cp -a '\(copy)/.' '\(folder)'"
            }
            let fillers = stage.device.folders.map { "'\($0)/filler'" }
            let script = """
                set -e; \(mounts.joined(separator: "; "))
                (
                  await() { while ! [ -e "$1" ]; do sleep 0.1; done; }
                  await '\(fill)'
                  for file in \(fillers.joined(separator: " ")); do cat /dev/zero >"$file" 2>/dev/null || true; done
                  touch '\(full)'
                  await '\(empty)'
                  rm \(fillers.joined(separator: " "))
                ) &
                \(isFullAtStart ? "while ! [ -e '\(full)' ]; do sleep 0.1; done" : "")
                exec "$@"
                """
            if isFullAtStart {
                // One that has run before, so that there is a history.
                let first = try await stage.startAgent()
                try await first.stop()
                try Data().write(to: URL(fileURLWithPath: fill))
            }
            let agent = try Lab.start(
                on: stage.device.host.name,
                ["unshare", "--mount", "sh", "-c", script, "sh"] + stage.device.command(["agent"])
            )
            try await LabTests.AgentLabTests.waitForSocket("\(stage.folder.path("run"))/clawradar/agent.sock", agent)
            // Where its lock cannot be written, other processes see no session.
            try await stage.wait("an answer") { try await $0.run(["scan"]).output.contains("answering") }
            if !isFullAtStart {
                try Data().write(to: URL(fileURLWithPath: fill))
                try await stage.wait("a full disk") { _ in FileManager.default.fileExists(atPath: full) }
            }

            var start = ContinuousClock.now
            try await stage.gateway.stop(SIGKILL)
            let gone = try await stage.next(["gone"], since: start)
            // At the start, the store of pairings is waited for first.
            #expect(gone <= .seconds(isFullAtStart ? 20 : 10))
            try await stage.wait("a reason") {
                try await $0.run(["agent", "status"]).output.contains("what happens is kept in memory")
            }
            start = .now
            try await stage.gateway.start(port: stage.port)
            let back = try await stage.next(["gone", "back"], since: start)
            print("notices: on a disk that is full (\(isFullAtStart)): told after \(gone), back after \(back)")

            try Data().write(to: URL(fileURLWithPath: empty))
            try await stage.wait("no trouble") {
                try await !$0.run(["agent", "status"]).output.contains("what happens is kept in memory")
            }
            let socket = "\(stage.folder.path("run"))/clawradar/agent.sock"
            let history = try await Lab.run(
                on: stage.device.host.name,
                ["curl", "--silent", "--unix-socket", socket, "http://localhost/api/v1/history"]
            )
            let outages = try JSONValue(parsing: Array(history.output.utf8))["outages"]?.array ?? []
            #expect(outages.count == 1 && outages.first?["ended"]?.string != nil, "\(history.output)")
            try await agent.stop()
            try await stage.gateway.stop()
        }

        /// With a full pipe as standard error that nobody reads, as with Ctrl-S in a terminal, a death is told, and `agent
        /// status` says what the log lacks.
        @Test func aBlockedLogHoldsNothingUp() async throws {
            let stage = try await NoticeStage(.bare, lan: 23, name: "n23", port: 4_712)
            let script = """
                mkfifo "$0"; exec 9<>"$0"; head -c 65536 /dev/zero >&9; exec "$@" 2>&9
                """
            let agent = try Lab.start(
                on: stage.device.host.name,
                ["sh", "-c", script, stage.folder.path("log")] + stage.device.command(["agent"])
            )
            try await LabTests.AgentLabTests.waitForSocket("\(stage.folder.path("run"))/clawradar/agent.sock", agent)
            try await stage.wait("connected") { try await $0.run(["status"]).output.contains(" connected ") }
            let start = ContinuousClock.now
            try await stage.gateway.stop(SIGKILL)
            let gone = try await stage.next(["gone"], since: start)
            #expect(gone <= .seconds(10))
            print("notices: with a blocked log: told after \(gone)")
            try await stage.wait("a reason") {
                try await $0.run(["agent", "status"]).output.contains("nobody has taken what standard error says")
            }
            try await agent.stop()
            try await stage.gateway.stop()
        }
    }
}
