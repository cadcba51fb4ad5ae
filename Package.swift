// swift-tools-version: 6.2.3

import PackageDescription

/// The settings of all our targets.
let settings: [SwiftSetting] = [
    // Data races are compile errors.
    .swiftLanguageMode(.v6),
    // `any` marks every existential, so that its cost is visible where it is paid.
    .enableUpcomingFeature("ExistentialAny"),
    // Only `public import` makes another module's declarations part of a module's public interface.
    .enableUpcomingFeature("InternalImportsByDefault"),
    // A member is visible only where the module that declares it is imported.
    .enableUpcomingFeature("MemberImportVisibility"),
    // An async function runs on its caller's actor unless it says otherwise.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // Every warning must be dealt with before a change lands.
    .treatAllWarnings(as: .error),
]

/// The libraries of other packages: the comments at `dependencies` say why each is here.
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let dequeModule = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let heapModule = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metricsTestKit = Target.Dependency.product(name: "MetricsTestKit", package: "swift-metrics")
let nio = Target.Dependency.product(name: "NIO", package: "swift-nio")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioWebSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let swiftASN1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// The libraries that other packages can import.
let libraries = ["Agent", "Clawradar", "DNSSD", "Discovery"]

/// The examples, with what they depend on: see `examples/README.md`. The first five have one import and at most 25 lines.
let examples: [String: [Target.Dependency]] = [
    "advertise-gateway": ["Clawradar"],
    "browse-services": ["Clawradar"],
    "list-gateways": ["Clawradar"],
    "pair-gateway": ["Clawradar"],
    "stay-connected": ["Clawradar"],
    "background-scanner": ["Clawradar", unixSignals],
    "embedded-agent": ["Agent", "Clawradar", logging, serviceLifecycle, unixSignals],
    "embedded-browser": ["Clawradar", logging, serviceLifecycle, unixSignals],
    "paired-scanner": ["Clawradar", logging, serviceLifecycle, unixSignals],
]

/// The targets of unit tests, with what they depend on.
let unitTests: [String: [Target.Dependency]] = [
    "AdvertisingTests": [
        "Advertising", "DNSSD", "Discovery", "GatewayProtocol", "ReferenceGateway", "TestSupport", logging,
    ],
    "AgentAPITests": [
        "Agent", "AgentAPI", "Scanning", "DNSSD", "GatewayProtocol", "GatewaySamples", "Pairing", "Reports",
        "TestSupport", coreMetrics, httpTypes, hummingbirdCore, nioCore,
    ],
    "AgentClientTests": ["Agent"],
    "AgentTests": [
        "Agent", "Pairing", "Scanning", "DNSSD", "GatewayProtocol", "Reports", "TestSupport", logging,
    ],
    "AvahiTests": ["Avahi", "DNSSD", "HostSystem", "TestSupport", logging],
    "BonjourTests": ["Bonjour", "DNSSD", "HostSystem", "TestSupport"],
    "ClawradarTests": [
        "Agent", "Clawradar", "Scanning", "DNSSD", "Discovery", "Embedding", "GatewayClient", "GatewayProtocol",
        "TestSupport", serviceLifecycle,
    ],
    "ConnectionsTests": [
        "Pairing", "Scanning", "DNSSD", "Discovery", "HostSystem", "GatewayClient", "GatewayProtocol",
        "ReferenceGateway", "TestSupport", coreMetrics, grdb, logging, metricsTestKit, nioCore, nioHTTP1, nioPosix,
        nioWebSocket,
    ],
    "ConsoleTests": ["Console", argumentParser, systemPackage],
    "ConstellationTests": ["Scanning", "DNSSD", "GatewayProtocol", "TestSupport", dequeModule],
    "DNSMessagesTests": ["DNSSD", "DNSSamples", "TestSupport"],
    "DNSSDTests": ["DNSSD", "TestSupport"],
    "DiagnosisTests": [
        "Scanning", "DNSSD", "Reports", "GatewayProtocol", "HostSystem", "Pairing", "TestSupport",
    ],
    "DiscoveryTests": ["DNSSD", "Discovery", "HostSystem", "TestSupport", coreMetrics, dequeModule],
    "GatewayClientTests": [
        "DNSSD", "GatewayProtocol", "GatewayClient", "TestSupport", coreMetrics, metricsTestKit, nioCore, nioHTTP1,
        nioPosix, nioSSL, nioWebSocket,
    ],
    "HostSystemTests": ["DNSSD", "HostSystem", "TestSupport"],
    "MulticastDNSTests": [
        "DNSSD", "DNSSamples", "Discovery", "HostSystem", "TestSupport", coreMetrics, metricsTestKit,
    ],
    "NoticesTests": ["GatewayProtocol", "Agent", "Reports", "TestSupport"],
    "OneShotQueryTests": ["DNSSD", "DNSSamples", "HostSystem", "Discovery", "TestSupport"],
    "PairedFactsTests": [
        "Scanning", "DNSSD", "GatewayProtocol", "Pairing", "TestSupport",
    ],
    "PairingStoreTests": [
        "DNSSD", "HostSystem", "GatewayProtocol", "Pairing", "TestSupport", "test-tool", crypto, grdb, systemPackage,
    ],
    "PairingTests": [
        "Scanning", "CloudDouble", "DNSSD", "GatewayClient", "GatewayProtocol", "Pairing", "ReferenceGateway",
        "TestSupport", coreMetrics, crypto, grdb, logging, metricsTestKit,
    ],
    "QRCodesTests": ["QRCodes", "TestSupport"],
    "ReferenceGatewayTests": [
        "DNSSD", "GatewayProtocol", "GatewayClient", "ReferenceGateway", "TestSupport", crypto, logging, nioCore,
        nioEmbedded, nioWebSocket,
    ],
    "ReportsTests": [
        "Scanning", "DNSSD", "GatewayProtocol", "GatewaySamples", "Pairing", "Reports", "TestSupport",
    ],
    "SafeFilesTests": ["HostSystem", systemPackage],
    "ScanningTests": [
        "Scanning", "DNSSD", "Discovery", "GatewayProtocol", "GatewayClient", "HostSystem", "ReferenceGateway",
        "TestSupport", coreMetrics, logging, metricsTestKit, nioCore, nioPosix,
    ],
    "TellingTests": [
        "DNSSD", "GatewayClient", "GatewayProtocol", "HostSystem", "Agent", "Reports", "TestSupport", grdb, nioCore,
        nioPosix,
    ],
    "TrustTests": ["DNSSD", "GatewayProtocol"],
    "UserSettingsTests": ["Agent", "DNSSD", "Discovery", "GatewayProtocol", "Scanning", "TestSupport"],
]

let package = Package(
    name: "clawradar",
    products: [
        .executable(name: "clawradar", targets: ["clawradar"]),
        .executable(name: "reference-gateway", targets: ["reference-gateway"]),
    ]
        + libraries.map { .library(name: $0, targets: [$0]) },
    traits: [
        .trait(name: "Avahi", description: "Browse and publish through avahi-daemon (uses libavahi-client)."),
        .trait(name: "Bonjour", description: "Browse and publish through libdns_sd, Avahi's or Apple's."),
        .trait(name: "QRCode", description: "Show links as QR codes (needs libqrencode)."),
        .default(enabledTraits: ["Avahi", "Bonjour", "QRCode"]),
    ],
    dependencies: [
        // Parsing, help and completions for the verbs of the tool. From Apple, and the usual choice of Swift tools.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // A heap for deadlines, and queues, which the standard library lacks. From Apple, and SwiftNIO depends on it already.
        .package(url: "https://github.com/apple/swift-collections", from: "1.3.0"),
        // The identity of this device (Ed25519), the encryption of stored tokens (AES-256-GCM), and the digests of
        // certificates (SHA-256). From Apple, on BoringSSL. Its CryptoExtras has scrypt, by which a passphrase opens a copy of
        // this device.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // The self-signed certificate of the reference gateway, created once. From Apple.
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        // That certificate as DER bytes: the package above only creates values. From Apple, and that package depends on
        // it already.
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        // Counters and durations that the embedding program exports as it likes. The usual choice of Swift servers.
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        // The store of pairings: SQLite with migrations and typed records, maintained since 2015.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // The configuration file as YAML, with the line of each value, which the message about a mistake names. The usual
        // parser of Swift tools, on libyaml.
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // A logging API with which the embedding program chooses where lines go.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        // The heads of requests and responses, as the package below has them; it depends on it already. From Apple.
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0", traits: []),
        // The HTTP server of the agent: requests, streamed responses, idle connections and their end are solved there, on
        // SwiftNIO. Its core alone, without traits: no router, no files, no Foundation.
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
        // Sockets to untrusted peers, with our own deadlines, byte limits and no redirects; WebSockets for client and
        // server.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // TLS for wss:// and bridges: the only library here that shows a self-signed leaf certificate before anything
        // is sent.
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        // Types for descriptors, paths and error numbers, and reads and writes that run to completion. From Apple, and
        // SwiftNIO depends on it already.
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        // Signals and graceful shutdown of programs; the scanner and the sessions are services by its protocol.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // A C library with API notes. Imported by `Avahi` alone.
        .systemLibrary(
            name: "CAvahiClient",
            path: "Modules/CAvahiClient",
            providers: [.apt(["libavahi-client-dev"])]
        ),
        .systemLibrary(
            name: "CAvahiCommon",
            path: "Modules/CAvahiCommon",
            providers: [.apt(["libavahi-client-dev"])]
        ),
        // A C library with API notes. Imported by `Bonjour` alone.
        .systemLibrary(
            name: "CDNSServiceDiscovery",
            path: "Modules/CDNSServiceDiscovery",
            providers: [.apt(["libavahi-compat-libdnssd-dev"])]
        ),
        // Loads libavahi-client and libdns_sd when they are needed, and calls them. In C, so that their headers check the types.
        .target(name: "CLoading", path: "Modules/CLoading"),
        // The declarations of a C library that is loaded when it is needed. Imported by `QRCodes` alone.
        .systemLibrary(
            name: "CPNG",
            path: "Modules/CPNG"
        ),
        // A C library. Imported by `QRCodes` alone.
        .systemLibrary(
            name: "CQREncode",
            path: "Modules/CQREncode",
            providers: [.apt(["libqrencode-dev"])]
        ),
        // C headers that Swift's module for the C library leaves out; it has no library. Imported by `HostSystem`
        // alone.
        .systemLibrary(
            name: "CThreads",
            path: "Modules/CThreads"
        ),

        // The files of the page, as bytes of the program: C alone can embed them without a cost for the build. Imported by
        // `AgentAPI` alone. Because of package.json, the tests' Node 18 takes the files for ES modules.
        .target(name: "CPage", path: "Sources/Page", exclude: ["files", "package.json"]),

        .target(
            name: "Advertising",
            dependencies: [
                "DNSSD", "Discovery", "GatewayProtocol", "GatewayClient", "HostSystem", coreMetrics, logging,
                serviceLifecycle,
            ]
        ),
        // The background scanner: everything below together, for as long as it runs.
        .target(
            name: "Agent",
            dependencies: [
                "Advertising", "DNSSD", "Discovery", "GatewayClient", "GatewayProtocol", "HostSystem", "Pairing",
                "Reports", "Scanning", grdb, logging, nioCore, nioHTTP1, nioPosix, nioSSL, serviceLifecycle,
                systemPackage, yams,
            ]
        ),
        // The API of the agent. A target of its own, so that nothing else waits for the HTTP server to be built.
        .target(
            name: "AgentAPI",
            dependencies: [
                "Agent", "CPage", "Pairing", "Scanning", "DNSSD", "Discovery", "GatewayClient", "GatewayProtocol",
                "HostSystem", "QRCodes", "Reports", coreMetrics, httpTypes, hummingbirdCore, logging, nioCore,
                serviceLifecycle, systemPackage,
            ]
        ),
        .target(
            name: "Avahi",
            dependencies: [
                "CAvahiClient", "CAvahiCommon", "CLoading", "DNSSD", "HostSystem", dequeModule, logging, systemPackage,
            ]
        ),
        .target(
            name: "Bonjour",
            dependencies: ["CDNSServiceDiscovery", "CLoading", "DNSSD", "HostSystem", dequeModule]
        ),
        // A single import for programs that embed the package.
        .target(
            name: "Clawradar",
            dependencies: [
                "Advertising", "Pairing", "Scanning", "DNSSD", "Discovery", "GatewayClient", "GatewayProtocol", logging,
                serviceLifecycle, unixSignals,
            ]
        ),
        .executableTarget(name: "clawradar", dependencies: ["Commands"]),
        .target(
            name: "Commands",
            dependencies: [
                "Advertising", "Agent", "AgentAPI", "Pairing", "Console", "Scanning", "DNSSD", "Reports", "Discovery",
                "GatewayProtocol", "GatewayClient", "HostSystem", "QRCodes", argumentParser, coreMetrics, logging,
                systemPackage, unixSignals,
            ]
        ),
        // What our programs need of the terminal and the command line, and how they say that they advertise.
        .target(
            name: "Console",
            dependencies: [
                "DNSSD", "Discovery", "GatewayClient", "GatewayProtocol", "HostSystem", "Reports", argumentParser,
                logging, systemPackage,
            ]
        ),
        .target(name: "DNSSD"),
        // Finds and publishes services by whichever backend works: the daemons', or our own multicast DNS.
        .target(
            name: "Discovery",
            dependencies: [
                .target(name: "Avahi", condition: .when(traits: ["Avahi"])),
                .target(name: "Bonjour", condition: .when(traits: ["Bonjour"])), "DNSSD", "HostSystem", coreMetrics,
                dequeModule, heapModule, logging, serviceLifecycle, systemPackage,
            ]
        ),
        .target(
            name: "GatewayProtocol",
            dependencies: [
                "DNSSD"
            ]
        ),
        .target(
            name: "GatewayClient",
            dependencies: [
                "DNSSD", "GatewayProtocol", coreMetrics, crypto, dequeModule, nioCore, nioHTTP1, nioPosix, nioSSL,
                nioTLS, nioWebSocket,
            ]
        ),
        // A thread that waits for descriptors and deadlines on behalf of their owners, and this host's interfaces.
        .target(
            name: "HostSystem",
            dependencies: [
                "CThreads", "DNSSD", dequeModule, systemPackage,
            ]
        ),
        // From a gateway that was found to a pairing in the store, and the sessions with what is paired.
        .target(
            name: "Pairing",
            dependencies: [
                "DNSSD", "GatewayClient", "GatewayProtocol", "HostSystem", "Scanning", coreMetrics, crypto,
                cryptoExtras, dequeModule, grdb, logging, serviceLifecycle, systemPackage,
            ]
        ),
        // QR codes: the symbol, and how it is drawn.
        .target(
            name: "QRCodes",
            dependencies: [
                "CPNG", .target(name: "CQREncode", condition: .when(traits: ["QRCode"])), "DNSSD", "GatewayProtocol",
                "HostSystem",
            ]
        ),
        .target(
            name: "ReferenceGateway",
            dependencies: [
                "Advertising", "DNSSD", "HostSystem", "GatewayProtocol", "GatewayClient", logging, nioCore, nioHTTP1,
                nioPosix, nioSSL, nioWebSocket, crypto, swiftASN1, systemPackage, x509,
            ]
        ),
        // The program, apart from the tool, which therefore links no library for making certificates.
        .executableTarget(
            name: "reference-gateway",
            dependencies: [
                "Console", "DNSSD", "HostSystem", "GatewayProtocol", "QRCodes", "ReferenceGateway", "Reports",
                argumentParser, logging,
            ]
        ),
        // What outsiders read: the JSON of all that is shown, the formats of other programs, and recordings.
        .target(
            name: "Reports",
            dependencies: [
                "DNSSD", "GatewayProtocol", "HostSystem", "Pairing", "Scanning",
            ]
        ),
        .target(
            name: "Scanning",
            dependencies: [
                "DNSSD", "Discovery", "GatewayClient", "GatewayProtocol", "HostSystem", coreMetrics, dequeModule,
                heapModule, logging, nioCore, nioPosix, serviceLifecycle,
            ]
        ),

        .testTarget(
            name: "CommandsTests",
            dependencies: [
                "Advertising", "Agent", "AgentAPI", "Clawradar", "Commands", "Pairing", "Console", "Scanning", "DNSSD",
                "Reports", "Discovery", "GatewayProtocol", "GatewayClient", "GatewaySamples", "HostSystem", "QRCodes",
                "ReferenceGateway", "TestSupport", "clawradar", "reference-gateway", argumentParser, systemPackage,
            ],
            // The tests read these files in place, so that they can also rewrite them.
            exclude: ["Goldens"]
        ),
        .testTarget(
            name: "GatewayProtocolTests",
            dependencies: ["DNSSD", "GatewayProtocol", "TestSupport", logging],
            resources: [.copy("Fixtures")]
        ),
        // Captured and handwritten DNS packets for several test targets.
        .target(name: "DNSSamples", dependencies: ["DNSSD", "TestSupport"], path: "Tests/DNSSamples"),
        // What is documented for other packages, compiled as they would: without access to what is only this package's.
        .target(
            name: "Embedding",
            dependencies: ["Agent", "Clawradar", crypto, logging, nio],
            path: "Tests/Embedding",
            packageAccess: false
        ),
        // Sample services and events for several test targets.
        .target(
            name: "GatewaySamples",
            dependencies: ["Scanning", "DNSSD", "GatewayProtocol", "TestSupport"],
            path: "Tests/GatewaySamples"
        ),
        // What a cloud does with requests, written from its documentation.
        .target(name: "CloudDouble", dependencies: ["GatewayProtocol"], path: "Tests/CloudDouble"),
        // Code that several test targets share.
        .target(
            name: "TestSupport",
            dependencies: ["DNSSD", "HostSystem", coreMetrics, metricsTestKit],
            path: "Tests/TestSupport"
        ),

        // The programs of scripts and lab tests, each a verb: a codec to mutate packets for, gateways by the dozen, a
        // store to kill, recorders of backends and scanners, and what scripts/bench measures.
        .executableTarget(
            name: "test-tool",
            dependencies: [
                "Avahi", "CloudDouble", "Pairing", "Scanning", "DNSSD", "DNSSamples", "Discovery", "HostSystem",
                "GatewayClient", "GatewayProtocol", "ReferenceGateway", "TestSupport", logging, systemPackage,
                unixSignals,
            ],
            path: "Tests/TestTool"
        ),
        // Tests with real hosts and real daemons: see scripts/lab.
        .testTarget(
            name: "LabTests",
            dependencies: [
                "Bonjour", "DNSSD", "Discovery", "GatewayProtocol", "Reports", "TestSupport", "clawradar",
                "reference-gateway", "test-tool",
            ],
            exclude: ["Tools"]
        ),
    ]
)

package.targets += unitTests.sorted { $0.key < $1.key }.map { .testTarget(name: $0.key, dependencies: $0.value) }
// Compiled as other packages would: see `Embedding`.
package.targets += examples.sorted { $0.key < $1.key }.map {
    .executableTarget(
        name: $0.key,
        dependencies: $0.value,
        path: "examples/\($0.key)",
        exclude: ["README.md"],
        packageAccess: false
    )
}

for target in package.targets where target.type != .system { target.swiftSettings = settings }
