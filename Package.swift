// swift-tools-version: 6.2

import PackageDescription

/// One set of settings for every target of ours.
let settings: [SwiftSetting] = [
    // Data races are compile errors.
    .swiftLanguageMode(.v6),
    // `any` marks every existential, so that its cost is seen where it is paid.
    .enableUpcomingFeature("ExistentialAny"),
    // What a module shows to its users is said by `public import`, and by nothing else.
    .enableUpcomingFeature("InternalImportsByDefault"),
    // A member is visible only where the module that declares it is imported.
    .enableUpcomingFeature("MemberImportVisibility"),
    // An async function runs where its caller runs, unless it says otherwise.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // A warning is a question that somebody must answer before it lands.
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "clawradar",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "clawradar", targets: ["clawradar"]),
        .library(name: "BotMap", targets: ["BotMap"]),
        .library(name: "Constellation", targets: ["Constellation"]),
        .library(name: "DNSMessages", targets: ["DNSMessages"]),
        .library(name: "DNSSD", targets: ["DNSSD"]),
        .library(name: "Discovery", targets: ["Discovery"]),
        .library(name: "GatewayProtocol", targets: ["GatewayProtocol"]),
        .library(name: "Gateways", targets: ["Gateways"]),
    ],
    traits: [
        .trait(name: "Avahi", description: "Browse and publish through avahi-daemon (needs libavahi-client)."),
        .default(enabledTraits: ["Avahi"]),
    ],
    dependencies: [
        // The verbs of the tool: parsing, help, completions. Apple's own, and what Swift tools use.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // Logging API: the embedding program chooses where lines go.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        // Sockets towards untrusted peers, with our own deadlines, byte caps and no redirects; WebSocket for client and server.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // wss:// and bridges with TLS: only here can a self-signed leaf be looked at before anything is sent.
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        // Signals and graceful shutdown of programs; our libraries do not need it.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // C, with API notes. Imported by `Avahi` alone.
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

        .target(
            name: "Avahi",
            dependencies: [
                "CAvahiClient",
                "CAvahiCommon",
                "DNSSD",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "BotMap",
            dependencies: ["DNSSD", "GatewayProtocol"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "clawradar",
            dependencies: ["Commands", "Discovery", "DNSSD"],
            swiftSettings: settings
        ),
        .target(
            name: "Commands",
            dependencies: [
                "DNSSD",
                "Discovery",
                "GatewayProtocol",
                "Gateways",
                "ReferenceGateway",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Constellation",
            dependencies: ["BotMap"],
            swiftSettings: settings
        ),
        .target(
            name: "DNSMessages",
            swiftSettings: settings
        ),
        .target(
            name: "DNSSD",
            swiftSettings: settings
        ),
        .target(
            name: "Discovery",
            dependencies: [
                .target(name: "Avahi", condition: .when(traits: ["Avahi"])),
                "DNSSD",
                "MulticastDNS",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "GatewayProtocol",
            dependencies: ["DNSSD"],
            swiftSettings: settings
        ),
        .target(
            name: "Gateways",
            dependencies: [
                "DNSSD",
                "GatewayProtocol",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),

        .target(
            name: "MulticastDNS",
            dependencies: ["DNSMessages", "DNSSD"],
            swiftSettings: settings
        ),
        .target(
            name: "ReferenceGateway",
            dependencies: [
                "DNSSD",
                "GatewayProtocol",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),

        .executableTarget(
            name: "advertise-gateway",
            dependencies: [
                "DNSSD",
                "Discovery",
                "GatewayProtocol",
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "examples/advertise-gateway",
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "background-scanner",
            dependencies: [
                "DNSSD",
                "Discovery",
                "GatewayProtocol",
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "examples/background-scanner",
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "embedded-browser",
            dependencies: [
                "DNSSD",
                "Discovery",
                "GatewayProtocol",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "examples/embedded-browser",
            exclude: ["README.md"],
            swiftSettings: settings
        ),

        .testTarget(
            name: "AvahiTests",
            dependencies: ["Avahi", "DNSSD", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BotMapTests",
            dependencies: ["BotMap", "DNSSD", "GatewayProtocol", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CommandsTests",
            dependencies: [
                "Commands",
                "DNSSD",
                "GatewayProtocol",
                "Gateways",
                "ReferenceGateway",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ConstellationTests",
            dependencies: ["BotMap", "Constellation", "DNSSD", "GatewayProtocol", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DNSMessagesTests",
            dependencies: ["DNSMessages", "DNSSamples", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DNSSDTests",
            dependencies: ["DNSSD", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DiscoveryTests",
            dependencies: ["DNSSD", "Discovery", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "GatewayProtocolTests",
            dependencies: ["DNSSD", "GatewayProtocol", "TestSupport"],
            resources: [.copy("Fixtures")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "GatewaysTests",
            dependencies: [
                "DNSSD",
                "GatewayProtocol",
                "Gateways",
                "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "MulticastDNSTests",
            dependencies: ["DNSMessages", "DNSSD", "DNSSamples", "MulticastDNS", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ReferenceGatewayTests",
            dependencies: [
                "DNSSD",
                "GatewayProtocol",
                "Gateways",
                "ReferenceGateway",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        // DNS packets, captured and made, for several test targets.
        .target(
            name: "DNSSamples",
            dependencies: ["DNSMessages", "TestSupport"],
            path: "Tests/DNSSamples",
            swiftSettings: settings
        ),
        // What several test targets share.
        .target(
            name: "TestSupport",
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),

        // Mutated packets for the DNS codec, and its rates: see scripts/fuzz and scripts/bench.
        .executableTarget(
            name: "dnsfuzz",
            dependencies: ["DNSMessages", "DNSSamples", "TestSupport"],
            path: "Tests/CodecTool",
            swiftSettings: settings
        ),
        // A long run that counts what is held: see scripts/soak.
        .executableTarget(
            name: "soak",
            dependencies: ["Avahi", "DNSSD", "Discovery"],
            path: "Tests/SoakTool",
            swiftSettings: settings
        ),
        // Real hosts, real daemons: see scripts/lab.
        .testTarget(
            name: "LabTests",
            dependencies: ["DNSSD", "Discovery", "GatewayProtocol", "clawradar"],
            exclude: ["Tools"],
            swiftSettings: settings
        ),
    ]
)
