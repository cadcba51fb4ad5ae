// swift-tools-version: 6.2

import PackageDescription

// A separate package from the product's: a tool for developers, with a dependency that nobody else needs.
let package = Package(
    name: "mutator",
    dependencies: [
        // The compiler's own parser, so that every mutant is valid Swift syntax.
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
