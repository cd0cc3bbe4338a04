// Macros in the place of keywords, as libraries for several compilers have them.
#if HAS_INCLUDE(<string_view>) && defined(WIDE)
#include <string_view>
#endif

SHAPES_NORETURN SHAPES_API void fail(const char* why);

class SHAPES_API Shape {
 public:
  SHAPES_CONSTEXPR Shape(int sides) : sides_(sides) {}
  SHAPES_INLINE ~Shape();
  SHAPES_CONSTEXPR int sides() const SHAPES_NOEXCEPT { return sides_; }
  int area();

 private:
  int sides_;
};

template <typename T, SHAPES_ENABLE_IF(is_shape<T>::value)>
SHAPES_CONSTEXPR int count(const T& shape) { return shape.sides(); }

template <typename T> SHAPES_INLINE int twice(T a) { return count(a); }  //: calls count

SHAPES_DECLARATION
class Registry
{
 public:
  template <typename T, std::enable_if<
                            is_shape<T>::value,
#if defined(WIDE)
                            is_wide<T>::value,
#endif
#if defined(NARROW)
                            is_narrow<T>::value,
#endif
                            int>::type = 0>
  T get() { return find<T>(); }  //: calls Registry.find

  void load()
  {
    SHAPES_TRY
    {
      find<Shape>();  //: calls Registry.find
    }
    SHAPES_CATCH (...) {}
  }

  template <typename T>
  T find();
};
