// swift-tools-version: 6.2

import PackageDescription

// Apart from the package of the product: a tool for developers, with a dependency that nobody else needs.
let package = Package(
    name: "mutator",
    dependencies: [
        // The compiler's own parser: a mutant that is wrong Swift is no mutant.
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1")
    ],
    targets: [
        .executableTarget(
            name: "mutator",
            dependencies: [
                .product(name: "SwiftOperators", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        )
    ]
)
