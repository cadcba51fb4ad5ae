import DNSSD
import Discovery
import Foundation
import GatewayProtocol
import Glibc
import Testing

extension LabTests {
    @Suite struct WatchLabTests {
        @Test func aChangedTXTRecordIsSeenWithin300Milliseconds() async throws {
            let watch = try Watch(on: "h1")
            var delays: [Duration] = []
            try await InProcess.withAdvertiser("Changing", fingerprint: "0") { advertiser in
                try await watch.event("found", "Changing")
                for round in 1...10 {
                    // A responder may delay announcements of a record to one per second (RFC 6762 §6).
                    let gap = try await Lab.run(on: "h1", "sleep", "1.2")
                    #expect(gap.status == 0)
                    let txt = try GatewayAdvertisement.txtRecord(fingerprint: GatewayFingerprint("\(round)"))
                    let start = ContinuousClock.now
                    try advertiser.update(txt: txt)
                    let (event, time) = try await watch.event("changed", "Changing", changed: "txt")
                    #expect(event.service.gateway.fingerprint == "\(round)")
                    delays.append(time - start)
                }
            }
            delays.sort()
            print("TXT change seen after: median \(delays[5]), longest \(delays[9])")
            #expect(delays[5] < .milliseconds(300))
            try await watch.stop()
        }

        @Test(arguments: [SIGTERM, SIGKILL])
        func aGatewayThatLeavesIsLostWithin1200Milliseconds(signal: Int32) async throws {
            let times = try await Lab.times(until: .milliseconds(1_200)) {
                let publisher = try await Publisher.clawradar(on: "h2", "Leaving")
                let watch = try Watch(on: "h1")
                try await watch.event("found", "Leaving")
                let start = ContinuousClock.now
                publisher.signal(signal)
                let (event, time) = try await watch.event("lost", "Leaving")
                #expect(event.reason == "withdrawn")
                _ = try await publisher.finish(within: .seconds(5))
                try await watch.stop()
                return time - start
            }
            print("lost after signal \(signal): \(times)")
            #expect(times.last.map { $0 < .milliseconds(1_200) } == true)
        }

        @Test func isLostOnlyWhenTheLastOfTwoInterfacesIsGone() async throws {
            let publisher = try await Publisher.clawradar(on: "h2", "Both ways")
            let watch = try Watch(on: "h1")
            try await watch.event("found", "Both ways")
            // Not all paths may have been found so far. With eth0 down, the watch must report only paths over eth1.
            try await Lab.control("link", "h1", "eth0", "down")
            _ = try await watch.process.line(within: .seconds(10), "a change to eth1 alone") {
                guard let event = WatchEvent($0), event.service.instance == "Both ways" else { return false }
                return event.event == "changed" && Set(event.service.paths.map(\.interface)) == ["eth1"]
            }
            #expect(!watch.events.contains { $0.event == "lost" && $0.service.instance == "Both ways" })
            try await Lab.control("link", "h1", "eth1", "down")
            let lost = try await watch.event("lost", "Both ways").event
            #expect(lost.reason == "interfaceDown")
            try await Lab.control("link", "h1", "eth0", "up")
            try await Lab.control("link", "h1", "eth1", "up")
            try await watch.event("found", "Both ways", within: .seconds(20))
            #expect(watch.events.filter { $0.event == "lost" && $0.service.instance == "Both ways" }.count == 1)
            try await watch.stop()
            try await publisher.stop()
        }

        @Test func aRestartOfTheDaemonIsNoEvent() async throws {
            let publishers = [
                try await Publisher.clawradar(on: "h2", "Stays 2"), try await Publisher.clawradar(on: "h3", "Stays 3"),
            ]
            let watch = try Watch(on: "h1")
            let canary = try await Publisher.clawradar(on: "h2", "Canary before")
            for name in ["Stays 2", "Stays 3", "Canary before"] { try await watch.paths(4, of: name) }
            let before = watch.events.count
            for _ in 1...3 {
                try await Lab.control("daemon", "h1", "restart")
                // Instances that are not seen again after a restart are reported as lost before this time is over.
                let wait = try await Lab.run(on: "h1", "sleep", "6")
                #expect(wait.status == 0)
            }
            #expect(
                watch.events.count == before,
                "\(watch.events.dropFirst(before).map { "\($0.event) \($0.service)" })"
            )
            // The watch still receives announcements.
            let late = try await Publisher.clawradar(on: "h3", "Canary after")
            try await watch.event("found", "Canary after")
            try await watch.stop()
            for publisher in publishers + [canary, late] { try await publisher.stop() }
        }

        /// A service that ended while the daemon was stopped is reported as lost after the daemon has started again,
        /// and another one that still exists is not.
        @Test func aServiceThatEndedDuringADaemonOutageIsLostWithin6Seconds() async throws {
            let stays = try await Publisher.clawradar(on: "h2", "Stays")
            let leaves = try await Publisher.clawradar(on: "h3", "Leaves")
            let watch = try Watch(on: "h1")
            try await watch.event("found", "Stays")
            let second = try Watch(on: "h1")
            try await second.event("found", "Leaves")
            try await second.stop()
            try await Lab.control("daemon", "h1", "stop")
            try await leaves.stop()
            try await Lab.control("daemon", "h1", "start")
            let start = ContinuousClock.now
            let (event, time) = try await watch.event("lost", "Leaves")
            print("lost after the daemon answered again: \(time - start)")
            #expect(time - start < .seconds(6))
            #expect(event.reason == "missingAfterRestart")
            #expect(!watch.events.contains { $0.event == "lost" && $0.service.instance == "Stays" })
            try await watch.stop()
            try await stays.stop()
        }
    }
}
