.class public LArrays;
.super Ljava/lang/Object;

.field public static n:I


.method public static tAgetObjNullChain()I
  .registers 8
  const/4 v0, 0
  aget-object v1, v0, v0
  aget-object v2, v1, v0
  aget v3, v2, v0
  array-length v4, v2
  add-int/2addr v3, v4
  check-cast v2, [I
  aget v4, v2, v0
  int-to-float v5, v4
  add-int/2addr v3, v4
  return v3
.end method

.method public static tAgetWideNullOrder()J
  .registers 8
  const/4 v0, 0
  aget-wide v2, v0, v0
  sget v5, LArrays;->n:I
  int-to-long v6, v5
  sub-long v4, v6, v2
  return-wide v4
.end method

.method public static tAgetWideNullUsed()D
  .registers 8
  const/4 v0, 0
  :a
  aget-wide v2, v0, v0
  sget v5, LArrays;->n:I
  add-double v4, v2, v2
  :b
  .catchall {:a .. :b} :h
  return-wide v4
  :h
  move-exception v0
  const-wide/high16 v2, 0x3ff0000000000000L
  return-wide v2
.end method

.method public static tFillEmptyNull()I
  .registers 8
  const/4 v0, 0
  fill-array-data v0, :d
  return v0
  nop
  :d
  .array-data 4
  .end array-data
.end method

.method public static tFillNull()I
  .registers 8
  const/4 v0, 0
  fill-array-data v0, :d
  return v0
  nop
  :d
  .array-data 4
  1 2 3
  .end array-data
.end method

.method public static tFillShortB()[B
  .registers 8
  const/16 v0, 20
  new-array v0, v0, [B
  fill-array-data v0, :d
  return-object v0
  nop
  :d
  .array-data 1
  1 2 3 4 5 6 7 8 9 10 11 12
  .end array-data
.end method

.method public static tFillShortD()[D
  .registers 8
  const/16 v0, 20
  new-array v0, v0, [D
  fill-array-data v0, :d
  return-object v0
  nop
  :d
  .array-data 8
  1 2 3 4 5 6 7 8 9 10 11 12
  .end array-data
.end method

.method public static tFillShortI()[I
  .registers 8
  const/16 v0, 20
  new-array v0, v0, [I
  fill-array-data v0, :d
  return-object v0
  nop
  :d
  .array-data 4
  1 2 3 4 5 6 7 8 9 10 11 12
  .end array-data
.end method

.method public static tFillShortJ()[J
  .registers 8
  const/16 v0, 20
  new-array v0, v0, [J
  fill-array-data v0, :d
  return-object v0
  nop
  :d
  .array-data 8
  1 2 3 4 5 6 7 8 9 10 11 12
  .end array-data
.end method

.method public static tFillShortS()[S
  .registers 8
  const/16 v0, 20
  new-array v0, v0, [S
  fill-array-data v0, :d
  return-object v0
  nop
  :d
  .array-data 2
  1 2 3 4 5 6 7 8 9 10 11 12
  .end array-data
.end method

.method public static tFilledNested()[[I
  .registers 8
  const/4 v0, 1
  const/4 v1, 2
  filled-new-array {v0, v1}, [I
  move-result-object v2
  filled-new-array {v1}, [I
  move-result-object v3
  const/4 v4, 0
  filled-new-array {v3, v4, v2, v2}, [[I
  move-result-object v0
  return-object v0
.end method
