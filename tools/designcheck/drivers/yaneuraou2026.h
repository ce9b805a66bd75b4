// What YaneuraOu's table of August 2026 needs of the rest of the program.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <tuple>

#define HASH_KEY_BITS 64
#define TT_CLUSTER_SIZE 3
#define ASSERT_LV3(x)
#define assert(x)

namespace YaneuraOu {
typedef uint64_t Key, Key64, u64;
typedef uint32_t u32;
typedef int Value, Depth;
enum Bound : int { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT };
enum Color : uint8_t { BLACK, WHITE };
enum : int { VALUE_NONE = 32002, VALUE_INFINITE = 32001, VALUE_MAX_EVAL = 27000, DEPTH_NONE = -3 };
enum Square { SQ_77, SQ_76 };
enum PieceType { PAWN };

struct Move16 {
	uint16_t data;
	uint16_t to_u16() const { return data; }
};

struct Move {
	uint16_t data;
	constexpr explicit Move(uint32_t d = 0) : data(uint16_t(d)) {}
	static constexpr Move none() { return Move(); }
	explicit operator bool() const { return data != 0; }
	bool operator==(Move m) const { return data == m.data; }
	Move16 to_move16() const { return {data}; }
};
inline Move make_move(Square, Square, Color, PieceType) { return Move(); }

struct StateInfo {};
struct Position { // the side to move; every move is legal
	Color side = BLACK;
	Color side_to_move() const { return side; }
	Move to_move(Move16 m) const { return Move(m.data); }
	Key key() const { return 0; }
	void set_hirate(StateInfo *) {}
};

struct ThreadPool {};
struct IEngine { ThreadPool &get_threads(); };
namespace Test {
struct UnitTester {
	int section(const char *) { return 0; }
	void test(const char *, bool) {}
};
}
namespace Tools {
inline void memclear(ThreadPool &, const char *, void *p, size_t n) { memset(p, 0, n); }
}
inline void *aligned_large_pages_alloc(size_t n) { return aligned_alloc(4096, (n + 4095) / 4096 * 4096); }
inline void aligned_large_pages_free(void *p) { free(p); }
inline uint64_t mul_hi64(uint64_t a, uint64_t b) { return uint64_t((unsigned __int128)a * b >> 64); }
}
