// What YaneuraOu's table needs of the rest of the program.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>

typedef uint64_t Key;
typedef uint8_t u8;
enum Value : int { VALUE_NONE = 32002, VALUE_INFINITE = 32001, VALUE_MATE_IN_MAX_PLY = 31000, VALUE_MATED_IN_MAX_PLY = -31000 };
enum Depth : int { ONE_PLY = 1 };
enum Move : int { MOVE_NONE };
enum Bound : int { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT };
inline Value operator+(Value v, int n) { return Value(int(v) + n); }
inline Value operator-(Value v, int n) { return Value(int(v) - n); }
inline void my_exit() { exit(1); }
#define ASSERT_LV3(x)
