"""Names of Julia's Base that need no import."""

BUILTINS = frozenset(
    """
    AbstractArray AbstractDict AbstractFloat AbstractString AbstractVector Any ArgumentError Array
    AssertionError Base Bool BoundsError Channel Char Complex Core Cvoid Dict DimensionMismatch
    DomainError ErrorException Exception Float16 Float32 Float64 Function IO IOBuffer Int Int128 Int16
    Int32 Int64 Int8 Integer KeyError Main Matrix MethodError Missing Module NamedTuple Nothing Number
    Pair Ptr Rational Real Ref Regex RuntimeError Set Signed Some StackOverflowError String SubString
    Symbol Task Tuple Type TypeError UInt UInt128 UInt16 UInt32 UInt64 UInt8 UndefVarError Union
    UnitRange Unsigned Val VarArg Vector VersionNumber abs all any append! argmax argmin basename
    broadcast ceil chomp chop close codeunits collect contains convert copy copyto! cos count
    deepcopy delete! dirname div divrem download eachindex eachline eachmatch eachrow eltype empty!
    endswith enumerate eof error esc eval exit exp extrema falses fetch fieldnames fill fill!
    filter filter! findall findfirst findlast findnext first flatten floor flush foldl foldr foreach
    gensym get get! getfield getindex getproperty hasfield haskey hasmethod hasproperty hash hcat
    identity in include insert! intersect invoke isa isabspath isapprox isassigned isdefined isdigit
    isdir isempty isequal iseven isfile isfinite isinf isless isletter ismissing isnan isnothing
    isnumeric isodd ispath issorted issubset isspace iszero iterate join joinpath keys keytype kron
    last lastindex length localindex lock log log10 log2 lowercase lpad lstrip map map! mapfoldl
    mapreduce match max maximum merge merge! methods min minimum missing mkdir mkpath mod modf
    monitor ndims new nothing notify ntuple nothing occursin one ones only open pairs parent parse
    partialsort peek permutedims pi pop! popfirst! position print println printstyled prod promote
    promote_type push! pushfirst! pwd rand randn range read readdir readline readlines real reduce
    reinterpret rem replace reshape resize! rethrow reverse reverse! rm round rpad rsplit rstrip
    schedule seek setdiff setfield! setindex! setproperty! show showerror sign similar sin size
    sizeof sizehint! skipmissing sleep something sort sort! sortperm splice! split sprint sqrt
    startswith string stringmethod strip sum symdiff take! tan throw time touch trues trunc try_parse
    tryparse typeassert typemax typemin typeof undef union union! unique unlock unsafe_load uppercase
    values valtype vcat vec view wait widen write xor yield zero zeros zip stderr stdin stdout true
    false ARGS ENV Inf NaN
    """.split()
)
