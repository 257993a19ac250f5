// SPDX-License-Identifier: Apache-2.0
// Numbers side by side in one vector register, where the compiler has vector types (fixed Eigen arrays do not
// stay in registers with g++); elsewhere a plain array. For the sources of this folder only: the width
// depends on the machine that is compiled for, so no public header may show it.
#pragma once
#include <cstring>

namespace limber {

#if defined(__AVX__)
inline constexpr int kRegisterBytes = 32;
#else
inline constexpr int kRegisterBytes = 16;
#endif

template <class Scalar>
inline constexpr int kLanes = kRegisterBytes / static_cast<int>(sizeof(Scalar));

// Plain numbers: where there is no vector type, or none as wide.
template <class Scalar, int count>
struct PlainPack {
    Scalar e[count];
    Scalar& operator[](int i) { return e[i]; }
    Scalar operator[](int i) const { return e[i]; }
    friend PlainPack operator+(PlainPack a, const PlainPack& b) {
        for (int i = 0; i < count; ++i)
            a[i] += b[i];
        return a;
    }
    friend PlainPack operator*(PlainPack a, const PlainPack& b) {
        for (int i = 0; i < count; ++i)
            a[i] *= b[i];
        return a;
    }
    PlainPack& operator+=(const PlainPack& b) { return *this = *this + b; }
};

template <class Scalar, int count, bool in_register>
struct PackOf {
    using type = PlainPack<Scalar, count>;
};
#if defined(__GNUC__) && !defined(LIMBER_PLAIN_LANES)
template <class Scalar, int count>
inline constexpr bool kInRegister = count > 1 && count * sizeof(Scalar) <= kRegisterBytes;
template <class Scalar, int count>
struct PackOf<Scalar, count, true> {
    typedef Scalar type __attribute__((vector_size(count * sizeof(Scalar))));
};
#else
template <class Scalar, int count>
inline constexpr bool kInRegister = false;
#endif

template <class Scalar, int count>
using Pack = typename PackOf<Scalar, count, kInRegister<Scalar, count>>::type;
template <class Scalar>
using Lanes = Pack<Scalar, kLanes<Scalar>>;

// g++ 12 would read v from memory again at every use; kept in a register, evaluate() runs twice as fast.
template <class Scalar, int count>
inline void keep_in_register([[maybe_unused]] Pack<Scalar, count>& v) {
#if defined(__GNUC__) && !defined(__clang__) && defined(__SSE2__)
    if constexpr (kInRegister<Scalar, count>) __asm__("" : "+x"(v));
#endif
}

template <class Scalar, int count = kLanes<Scalar>>
inline Pack<Scalar, count> load(const Scalar* from) {
    Pack<Scalar, count> v;
    std::memcpy(&v, from, sizeof(v));
    keep_in_register<Scalar, count>(v);
    return v;
}

template <class Scalar, int count = kLanes<Scalar>>
inline void store(Scalar* to, const Pack<Scalar, count>& v) {
    std::memcpy(to, &v, sizeof(v));
}

template <class Scalar, int count = kLanes<Scalar>>
inline Pack<Scalar, count> all(Scalar value) {
    Pack<Scalar, count> v{};
    if constexpr (kInRegister<Scalar, count>) {
        v = value - v;  // x - 0 is x, -0 too; clang makes a loop through memory of one over the entries
    } else {
        for (int i = 0; i < count; ++i)
            v[i] = value;
    }
    keep_in_register<Scalar, count>(v);
    return v;
}

template <class Scalar, int count = kLanes<Scalar>>
inline Scalar sum(const Pack<Scalar, count>& v) {
    Scalar total = v[0];
    for (int i = 1; i < count; ++i)
        total += v[i];
    return total;
}

// The sums of four packs, side by side.
template <class Scalar, int count = kLanes<Scalar>>
inline Pack<Scalar, 4> sums(const Pack<Scalar, count> (&v)[4]) {
#if defined(__GNUC__)
    if constexpr (count == 8 && kInRegister<Scalar, 8>) {
        Pack<Scalar, 4> folded[4];
        for (int i = 0; i < 4; ++i)
            folded[i] = __builtin_shufflevector(v[i], v[i], 0, 1, 2, 3) +
                        __builtin_shufflevector(v[i], v[i], 4, 5, 6, 7);
        return sums<Scalar, 4>(folded);
    } else if constexpr (count == 4 && kInRegister<Scalar, 4>) {
        const Pack<Scalar, 4> low =
            __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6) + __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
        const Pack<Scalar, 4> high =
            __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6) + __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
        return __builtin_shufflevector(low, high, 0, 1, 4, 5) +
               __builtin_shufflevector(low, high, 2, 3, 6, 7);
    }
#endif
    Pack<Scalar, 4> out{};
    for (int i = 0; i < 4; ++i)
        out[i] = sum<Scalar, count>(v[i]);
    return out;
}

// Rows become columns.
template <class Scalar>
inline void transpose(Pack<Scalar, 4> (&v)[4]) {
#if defined(__GNUC__)
    if constexpr (kInRegister<Scalar, 4>) {
        const Pack<Scalar, 4> a = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6);
        const Pack<Scalar, 4> b = __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
        const Pack<Scalar, 4> c = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6);
        const Pack<Scalar, 4> d = __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
        v[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
        v[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
        v[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
        v[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
        return;
    }
#endif
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < i; ++j) {
            const Scalar t = v[i][j];
            v[i][j] = v[j][i];
            v[j][i] = t;
        }
}

}  // namespace limber
