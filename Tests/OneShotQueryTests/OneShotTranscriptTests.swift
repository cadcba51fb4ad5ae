import TestSupport
import Testing

/// Protection of everything that the query does against changes that are only meant to move or rename code.
@Suite struct OneShotTranscriptTests {
    /// The seeds of random sequences of events, and the digest of each transcript at the last intended change of
    /// behaviour.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0xA865_1CFD_CE9E_38DE), (1, 0x9EEC_F7F3_108D_5257), (2, 0x5B7D_4573_DE3F_AF63),
        (3, 0x95FE_BB18_F24A_D788), (4, 0x52C2_F39B_D1BD_82E8), (5, 0xC8C6_0970_D439_D615),
        (6, 0x1B0B_A647_C011_F63E), (7, 0xD9A4_329A_9B68_076D), (8, 0xFF99_9360_F98B_C794),
        (9, 0x97A6_73D9_4041_B0DD), (10, 0x3836_7EB3_75E5_EA8C), (11, 0x21B9_A483_619A_06D0),
        (12, 0xEFC5_81AE_5D46_CE7E), (13, 0x714C_F791_7C57_05BB), (14, 0x1D07_7815_E9C5_4EFA),
        (15, 0xEA3D_1AF1_1FB8_B316), (16, 0xE9F3_DF20_C80B_2D83), (17, 0x3453_C96B_AE8D_7B82),
        (18, 0x4B83_95FF_AD2C_404F), (19, 0xBB41_54C7_43CF_86E4), (20, 0xA540_A040_8EE6_7EBA),
        (21, 0xA21D_31E6_5AD8_4E4E), (22, 0x7DCC_B75C_1D9E_FADE), (23, 0x50D1_5829_8ED9_529A),
        (24, 0xAB86_94EB_5783_7328), (25, 0x8F3D_A207_6BCB_BDD8), (26, 0x0CA6_AF48_EDF0_2495),
        (27, 0x80B6_C609_9F2C_A1B9), (28, 0x9C01_F4C2_6556_01C8), (29, 0x93E0_2DC2_B370_1FDF),
        (30, 0xAF32_95DE_30BA_7904), (31, 0x7002_3C59_A76D_58E7), (32, 0x0F30_6ACB_ADDE_9DA5),
        (33, 0x1405_B0A8_7144_DBAA), (34, 0xDEB5_F524_7FEA_86A6), (35, 0xB3CF_08F9_9B6B_15E0),
        (36, 0xD99F_423C_B989_0221), (37, 0x09F1_8EDE_4EE0_E45C), (38, 0xAA59_E9C5_B81C_8BF5),
        (39, 0x808A_13B6_F037_714A), (40, 0xAFC5_40B6_3BBB_3734), (41, 0xB999_B75E_A3BD_52F3),
        (42, 0x3B27_7CFD_C894_E254),
    ]

    @Test func theQueryDoesWhatItDid() throws {
        let differences = try CourseTranscript.differences(from: Self.digests, name: "one-shot-query") {
            try OneShotTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
